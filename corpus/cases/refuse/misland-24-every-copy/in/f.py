def run():
    go_slowly()
    return 1


def run():
    go_slowly()
    return 1
