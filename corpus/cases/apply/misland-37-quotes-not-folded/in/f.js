a = 'it';
b = ‘it’;
a = ‘it’;
