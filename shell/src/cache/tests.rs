use super::*;
use crate::flags::Takes;

fn evidence(name: &str) -> Evidence {
    let mut evidence = Evidence::default();
    evidence.flags.add_long(name, Takes::Required);
    evidence
}

#[test]
fn what_is_put_is_there_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("below").join("cache");
    let first = Cache::open(path.clone());
    first.put(b"a", &evidence("one"));
    first.save();
    let second = Cache::open(path.clone());
    second.put(b"b", &evidence("two"));
    second.save();
    let third = Cache::open(path);
    assert_eq!(third.get(b"a"), Some(evidence("one")));
    assert_eq!(third.get(b"b"), Some(evidence("two")));
    assert_eq!(third.get(b"c"), None);
}

#[test]
fn damage_counts_as_absence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    let whole = Cache::open(path.clone());
    whole.put(b"a", &evidence("one"));
    whole.save();
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        fs::write(&path, &damaged).unwrap();
        let found = Cache::open(path.clone()).get(b"a");
        assert!(found.is_none(), "byte {at}");
        fs::write(&path, &bytes[..at]).unwrap();
        assert!(Cache::open(path.clone()).get(b"a").is_none(), "cut at {at}");
    }
}

#[test]
fn a_damaged_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    fs::write(&path, b"surefoot-shell-1 and nonsense").unwrap();
    let cache = Cache::open(path.clone());
    cache.put(b"a", &evidence("one"));
    cache.save();
    assert_eq!(Cache::open(path).get(b"a"), Some(evidence("one")));
}

#[test]
fn writers_at_once_leave_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let path = path.clone();
            scope.spawn(move || {
                for round in 0..10 {
                    let cache = Cache::open(path.clone());
                    let slot = format!("{thread}-{round}");
                    cache.put(slot.as_bytes(), &evidence(&slot));
                    cache.save();
                }
            });
        }
    });
    let cache = Cache::open(path);
    let slots = (0..8).flat_map(|thread| (0..10).map(move |round| format!("{thread}-{round}")));
    let kept: Vec<String> = slots
        .filter(|slot| cache.get(slot.as_bytes()).is_some())
        .collect();
    assert!(!kept.is_empty());
    for slot in kept {
        assert_eq!(cache.get(slot.as_bytes()), Some(evidence(&slot)));
    }
}
