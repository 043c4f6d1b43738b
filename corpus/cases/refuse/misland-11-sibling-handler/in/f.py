def handle_user_created(event):
    log(event)
    store.add(event.user)
