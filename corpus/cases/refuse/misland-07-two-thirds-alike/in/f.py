def get_user(id):
    return db.users[id]

def get_order(id):
    return db.orders[id]
