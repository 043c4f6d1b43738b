int a; // x
y();
