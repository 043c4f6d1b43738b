  if a:
    beta()
beta()
