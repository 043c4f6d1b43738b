use super::bootstrap::{Bootstrap, Cluster};
use super::digest::Digest;
use super::mcnemar::mcnemar;
use super::rate::{Interval, Rate};
use super::*;

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1e-3)
}

/// The expected bounds are the closed form, evaluated apart from this code.
#[test]
fn wilsons_bounds() {
    let check = |hits, trials, low, high| {
        let found = Rate::new(hits, trials).unwrap().wilson();
        assert!(
            close(found.low, low) && close(found.high, high),
            "{hits}/{trials}: {found:?}"
        );
    };
    check(123, 3200, 0.032_310_951_335_693, 0.045_670_890_784_752);
    check(0, 3200, 0.0, 0.001_199_016_515_039);
    check(1, 8320, 0.000_021_217_208_706, 0.000_680_557_188_318);
    check(81, 640, 0.103_012_236_466_508, 0.154_568_968_578_071);
    check(10, 20, 0.299_298_008_198_212, 0.700_701_991_801_788);
    check(640, 640, 0.994_033_532_994_706, 1.0);
    check(0, 0, 0.0, 1.0);
}

#[test]
fn a_rate_of_none_is_shown_with_what_it_may_be() {
    let check = |hits, trials, expected: &str| {
        assert_eq!(Rate::new(hits, trials).unwrap().to_string(), expected);
    };
    check(0, 3200, "0 of 3200 (at most 0.0012)");
    check(123, 3200, "0.0384 [0.0323, 0.0457]");
    check(5, 5, "1.0000 [0.5655, 1.0000]");
    check(0, 0, "no trials");
    assert_eq!(Rate::new(2, 1), None);
}

/// The expected numbers are sums of binomial coefficients over a power of two.
#[test]
fn an_uneven_split_is_as_probable_as_coins_make_it() {
    let check = |first, second, expected: f64| {
        let found = mcnemar(first, second);
        assert!(close(found, expected), "{first} {second}: {found}");
        assert!(close(mcnemar(second, first), expected), "{second} {first}");
    };
    check(0, 0, 1.0);
    check(0, 1, 1.0);
    check(1, 5, 14.0 / 64.0);
    check(0, 10, 2.0 / 1024.0);
    check(7, 7, 1.0);
    check(900, 1100, 8.457_089_535_503_927e-6);
    check(0, 3000, 0.0);
}

const PLAN: Bootstrap = Bootstrap {
    resamples: 2000,
    seed: 7,
};

fn clusters(counts: &[(u64, u64)]) -> Vec<Cluster> {
    let cluster = |&(hits, trials): &(u64, u64)| Cluster { hits, trials };
    counts.iter().map(cluster).collect()
}

#[test]
fn files_that_are_all_alike_leave_no_doubt() {
    let found = PLAN.interval(&clusters(&[(1, 4); 30]));
    let expected = Interval {
        low: 0.25,
        high: 0.25,
    };
    assert_eq!(found, expected);
    assert_eq!(PLAN.interval(&[]), Interval::UNKNOWN);
    assert_eq!(PLAN.interval(&clusters(&[(0, 0)])), Interval::UNKNOWN);
}

#[test]
fn trials_of_one_file_count_as_one_draw() {
    // 100 files of one trial and 100 of ten that agree: as many files, so about as much doubt.
    let alone: Vec<_> = (0..100).map(|n| (n % 2, 1)).collect();
    let in_tens: Vec<_> = (0..100).map(|n| (n % 2 * 10, 10)).collect();
    let found = PLAN.interval(&clusters(&in_tens));
    assert_eq!(found, PLAN.interval(&clusters(&alone)));
    // The share of 100 fair coins is within 2 standard deviations of 0.05 each, nearly always.
    let near = |bound: f64, expected: f64| (bound - expected).abs() <= 0.02;
    assert!(near(found.low, 0.4) && near(found.high, 0.6), "{found}");
}

#[test]
fn equal_seeds_give_equal_intervals() {
    let mixed: Vec<_> = (0..50).map(|n| (n % 3, n % 5 + 2)).collect();
    let mixed = clusters(&mixed);
    assert_eq!(PLAN.interval(&mixed), PLAN.interval(&mixed));
    let other = Bootstrap { seed: 8, ..PLAN };
    assert_ne!(PLAN.interval(&mixed), other.interval(&mixed));
}

#[test]
fn a_digest_is_that_of_its_lines() {
    // As `sha256sum` has it.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(Digest::default().finish(), empty);
    let mut digest = Digest::default();
    digest.put(0, "none", "sr-exact", Verdict::Success);
    digest.put(0, "none", "sr-ws", Verdict::Clean);
    digest.put(1, "shift+1", "line", Verdict::Silent);
    digest.put(2, "reindentT", "line", Verdict::Silent);
    let four = "1d758b46c590bec250da0bfb2af4102b06d5178abe0c7d75d786ec366e45115f";
    assert_eq!(digest.finish(), four);
}

#[test]
fn only_the_right_file_is_a_success() {
    let applied = |text: &str| Answer::Applied(text.to_owned());
    assert_eq!(Verdict::of(&applied("a\n"), "a\n"), Verdict::Success);
    assert_eq!(Verdict::of(&applied("a"), "a\n"), Verdict::Silent);
    let refused = Answer::Refused("no".to_owned());
    assert_eq!(Verdict::of(&refused, "a\n"), Verdict::Clean);
}
