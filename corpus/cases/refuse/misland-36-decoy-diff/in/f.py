def new_way(x):
    return fast(x)


def old_way(x):
    y = x + 1
    check(y)
    return y
