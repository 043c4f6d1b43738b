def new_way(x):
    y = x + 1
    check(y)
    return y


def old_way(x):
    y = x + 1
    check(y)
    return y
