    x = 1
self.x = 1
