const MAX = 1;
