use super::*;

#[test]
fn the_lines_that_tell_a_place_from_the_others_are_the_fewest_that_do() {
    let file = File::new(b"def a():\n    x\n    y\ndef b():\n    x\n    z\n");
    let found = places(&file, &[1, 4], 1);
    let lines = |n: usize| {
        let Distinguish { above, lines } = found[n].distinguish.clone().unwrap();
        (
            above,
            lines.iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    assert_eq!(lines(0), (true, vec!["def a():".into()]));
    assert_eq!(lines(1), (true, vec!["def b():".into()]));
    let file = File::new(b"x\nx\ny\n");
    let found = places(&file, &[0, 1], 1);
    assert_eq!(
        found[0].distinguish.clone().map(|d| (d.above, d.lines)),
        Some((false, vec!["x".into()]))
    );
    assert_eq!(
        found[1].distinguish.clone().map(|d| (d.above, d.lines)),
        Some((true, vec!["x".into()]))
    );
}

#[test]
fn the_nearest_place_shows_its_first_difference() {
    let file = File::new(b"a = 1\nfor x in y:\n    z()\nend_of_it\n");
    let near = nearest(&file, &[b"for x in y:", b"  z()"], &Budget::for_bytes(0));
    let difference = near[0].first_difference.clone().unwrap();
    assert_eq!(near[0].lines, LineRange::new(1, 3));
    assert_eq!(difference.line, LineNo(2));
    assert_eq!(
        (difference.wanted, difference.found),
        ("  z()".into(), "    z()".into())
    );
    assert!(nearest(&file, &[b"nothing alike"], &Budget::for_bytes(0)).is_empty());
}
