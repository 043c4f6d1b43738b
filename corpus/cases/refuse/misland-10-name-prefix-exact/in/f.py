def f():
    return total_items
