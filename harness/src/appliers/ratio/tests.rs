use proptest::prelude::*;

use super::*;

fn shared(a: &str, b: &str) -> usize {
    let anchor = Anchor::new(b);
    anchor.matches(&anchor.encode(a), &mut Room::default())
}

fn likeness(a: &str, b: &str) -> f64 {
    Anchor::new(b).likeness(a.chars().count(), shared(a, b))
}

/// The expected numbers are those of Python 3.11's
/// `difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()`.
#[test]
#[expect(
    clippy::float_cmp,
    reason = "the numbers are to be the same, not close"
)]
fn likeness_is_that_of_difflib() {
    let check = |a: &str, b: &str, expected: f64| {
        assert_eq!(likeness(a, b), expected, "{a:?} {b:?}");
    };
    check("", "", 1.0);
    check("", "a", 0.0);
    check("a", "", 0.0);
    check("abcd", "bcde", 0.75);
    check("tide", "diet", 0.25);
    check("diet", "tide", 0.5);
    check("GESTALT PATTERN MATCHING", "GESTALT PRACTICE", 0.6);
    check("GESTALT PRACTICE", "GESTALT PATTERN MATCHING", 0.65);
    check(
        "private Thread currentThread;",
        "private volatile Thread currentThread;",
        0.865_671_641_791_044_7,
    );
    check(
        "        self.count += 1\n        return self.count\n    def next(self):",
        "        self.total += 1\n        return self.total\n    def last(self):",
        0.869_565_217_391_304_3,
    );
    check("    x = 1\n    y = 2", "\tx = 1\n\ty = 2", 0.6875);
    check("naïve café", "naive cafe", 0.8);
    check("naïve café ☕", "café naïve ☕☕", 0.56);
    check(&"ab".repeat(40), &"ba".repeat(40), 0.9875);
    let (a, b) = ("a".repeat(100), "b".repeat(100));
    check(&format!("{a}{b}"), &format!("{b}{a}"), 0.5);
}

/// The definition, word for word.
fn naive(a: &[char], b: &[char]) -> usize {
    let mut best = (0, 0, 0);
    for i in 0..a.len() {
        for j in 0..b.len() {
            let pairs = a[i..].iter().zip(&b[j..]);
            let len = pairs.take_while(|(a, b)| a == b).count();
            if len > best.2 {
                best = (i, j, len);
            }
        }
    }
    let (i, j, len) = best;
    if len == 0 {
        return 0;
    }
    naive(&a[..i], &b[..j]) + len + naive(&a[i + len..], &b[j + len..])
}

/// The longest common subsequence by the textbook's table.
fn naive_subsequence(a: &[char], b: &[char]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut corner = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y {
                corner + 1
            } else {
                above.max(row[j])
            };
            corner = above;
        }
    }
    row[b.len()]
}

proptest! {
    #[test]
    fn matches_are_those_of_the_definition(a in "[ab \né]{0,90}", b in "[ab \nc]{0,150}") {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        let (x, y) = (chars(&a), chars(&b));
        let anchor = Anchor::new(&b);
        let (code, mut room) = (anchor.encode(&a), Room::default());
        let shared = naive(&x, &y);
        prop_assert_eq!(anchor.matches(&code, &mut room), shared);
        let longest = anchor.subsequence(&code, &mut room);
        prop_assert_eq!(longest, naive_subsequence(&x, &y));
        prop_assert!(longest >= shared);
        // The room of an earlier comparison leaves no trace.
        prop_assert_eq!(anchor.matches(&code, &mut room), shared);
    }
}
