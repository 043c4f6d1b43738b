fn first() {
    let a = start();
    run(a);
    stop();
}

fn other() {
    one();
    two();
}

fn second() {
    let a = start();
    run(a);
    stop();
}
