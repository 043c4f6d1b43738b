if a:
    beta()
    delta()
beta()
delta()
