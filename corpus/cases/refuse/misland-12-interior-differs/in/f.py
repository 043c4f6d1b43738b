def f():
    keep_me()
    return 1
