a = 'them';
b = ‘it’;
a = ‘it’;
