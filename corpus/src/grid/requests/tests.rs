use super::*;

#[test]
fn what_is_in_the_cache_is_not_fetched_again() {
    let cache = tempfile::tempdir().unwrap();
    let root = cache.path().join(NAME).join("requests");
    #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
    std::fs::create_dir_all(&root).unwrap();
    let found = fetched(cache.path(), Path::new("/no/such/pip")).unwrap();
    assert_eq!(found, root);
}

#[test]
fn without_pip_it_says_so_and_leaves_nothing() {
    let cache = tempfile::tempdir().unwrap();
    let error = fetched(cache.path(), Path::new("/no/such/pip")).unwrap_err();
    let words = error.to_string();
    assert!(
        words.starts_with("cannot fetch `requests-2.32.5`: `/no/such/pip` does not start: "),
        "{words}"
    );
    #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
    let left = std::fs::read_dir(cache.path()).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn a_pip_that_refuses_is_quoted() {
    let cache = tempfile::tempdir().unwrap();
    let error = fetched(cache.path(), Path::new("false")).unwrap_err();
    assert!(matches!(error, CorpusError::Fetch(NAME, _)), "{error}");
    assert!(error.to_string().ends_with("pip says no more"), "{error}");
}
