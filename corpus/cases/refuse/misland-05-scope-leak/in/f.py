def a():
    y = 0

def b():
    x = 1
    return x
