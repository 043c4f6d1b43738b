use super::super::PYTHON;
use super::*;

const NOTHING: Tools = Tools {
    cargo: "/no/such/cargo",
    npm: "/no/such/npm",
    tar: "/no/such/tar",
    apt_get: "false",
    dpkg: "/no/such/dpkg",
};

static CRATE: [Package; 1] = [of(Registry::Crates)];
static NPM: [Package; 1] = [of(Registry::Npm)];
static DEBIAN: [Package; 1] = [of(Registry::Debian)];

const fn of(registry: Registry) -> Package {
    Package {
        registry,
        name: "pinned",
        version: "1.2.3",
        folder: "",
    }
}

fn library(packages: &'static [Package]) -> Library {
    Library {
        language: &PYTHON,
        packages,
        leaves_out: &["/tests/"],
        edits: "",
        files: "",
        account: "",
    }
}

#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn what_cannot_be_fetched_is_said_and_leaves_nothing() {
    let check = |packages, expected: &str| {
        let cache = tempfile::tempdir().unwrap();
        let error = NOTHING
            .obtain(&library(packages), cache.path())
            .unwrap_err();
        let words = error.to_string();
        assert!(words.starts_with(expected), "{words}");
        #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
        let left = std::fs::read_dir(cache.path()).unwrap().count();
        assert_eq!(left, 0);
    };
    check(
        &CRATE,
        "cannot fetch `pinned`: `/no/such/cargo` does not start: ",
    );
    check(
        &NPM,
        "cannot fetch `pinned`: `/no/such/npm` does not start: ",
    );
    check(&DEBIAN, "cannot fetch `pinned`: false, ");
}

#[test]
fn what_is_in_the_cache_is_not_fetched_again() {
    let cache = tempfile::tempdir().unwrap();
    put(&cache.path().join("python/x.py"), "");
    let root = NOTHING.obtain(&library(&NPM), cache.path()).unwrap();
    assert_eq!(root, cache.path().join("python"));
}

#[test]
fn only_the_languages_files_are_taken_and_none_is_no_library() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let library = library(&NPM);
    put(&from.join("tests/y.py"), "y = 1\n");
    put(&from.join("notes.txt"), "");
    let error = copy(&library, &NPM[0], &from, &to).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot fetch `pinned`: its version 1.2.3 has no such file"
    );
    put(&from.join("a/x.py"), "x = 1\n");
    copy(&library, &NPM[0], &from, &to).unwrap();
    assert_eq!(files_of(&PYTHON, &to).unwrap(), ["a/x.py"]);
    assert!(!to.join("notes.txt").exists());
}
