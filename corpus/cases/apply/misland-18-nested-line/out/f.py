  if a:
    gamma()
beta()
