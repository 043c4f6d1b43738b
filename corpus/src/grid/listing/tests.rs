use super::super::PYTHON;
use super::*;

static LIBRARY: Library = Library {
    language: &PYTHON,
    packages: &[],
    leaves_out: &[],
    edits: "",
    files: "",
    account: "",
};

#[test]
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn a_missing_a_changed_and_a_new_file_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["a.py", "b c.py"] {
        std::fs::write(root.join(name), "x = 1\n").unwrap();
    }
    let listing = Listing::of(&LIBRARY, root).unwrap();
    assert_eq!((listing.len(), listing.bytes()), (2, 12));
    let read = Listing::read(&listing.write()).unwrap();
    assert_eq!(read, listing);
    read.check(&LIBRARY, root).unwrap();

    std::fs::write(root.join("c.py"), "").unwrap();
    let error = read.check(&LIBRARY, root).unwrap_err();
    assert!(matches!(&error, CorpusError::Unlisted(path) if path == "c.py"));
    std::fs::write(root.join("b c.py"), "x = 2\n").unwrap();
    let error = read.check(&LIBRARY, root).unwrap_err();
    assert!(matches!(&error, CorpusError::Digest { path, .. } if path == "b c.py"));
    std::fs::remove_file(root.join("a.py")).unwrap();
    let error = read.check(&LIBRARY, root).unwrap_err();
    assert!(matches!(error, CorpusError::Read(..)));
}

#[test]
fn a_damaged_listing_is_told_by_its_line() {
    for damaged in ["aa 3 x.py\nbb 4\n", "aa 3 x.py\nbb four y.py\n"] {
        let error = Listing::read(damaged).unwrap_err();
        assert!(matches!(error, CorpusError::Listing(2)), "{error}");
    }
}
