#![expect(clippy::disallowed_methods, reason = "tests make what they look at")]

use super::is_plain;

#[test]
fn a_folder_is_plain_only_where_no_repository_can_be_above_it() {
    let tree = tempfile::tempdir().unwrap();
    let at = |path: &str| tree.path().join(path);
    for folder in ["plain/inner", "git/inner", "file", "bare/inner"] {
        std::fs::create_dir_all(at(folder)).unwrap();
    }
    std::fs::create_dir(at("git/.git")).unwrap();
    std::fs::write(at("file/.git"), "gitdir: ../git/.git\n").unwrap();
    std::fs::write(at("bare/HEAD"), "ref: refs/heads/main\n").unwrap();
    // The folder above the link is plain, the one above what it leads to is not.
    std::os::unix::fs::symlink(at("git/inner"), at("plain/link")).unwrap();
    for (folder, plain) in [
        ("plain/inner", true),
        ("git", false),
        ("git/inner", false),
        ("file", false),
        ("bare/inner", false),
        ("plain/link", false),
        ("nowhere", false),
    ] {
        assert_eq!(is_plain(&at(folder)), plain, "{folder}");
    }
}
