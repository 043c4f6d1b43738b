def f():
    a
    b

def g():
    pass
