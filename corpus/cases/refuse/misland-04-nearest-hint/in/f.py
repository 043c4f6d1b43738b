def a():
    x = 1
    return x
# pad 0
# pad 1
# pad 2
# pad 3
# pad 4
# pad 5
# pad 6
# pad 7
# pad 8
def b():
    x = 1
    return x
