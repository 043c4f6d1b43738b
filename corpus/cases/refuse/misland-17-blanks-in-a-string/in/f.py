s = "a  b"
