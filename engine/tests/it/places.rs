//! Which working tree a folder belongs to.

use std::fs;

use surefoot_engine::path::{PathSpec, RelativeTo};
use surefoot_engine::worktree::Worktree;

use crate::scene::{Scene, text};

#[test]
fn a_folder_below_finds_the_root_and_json_paths_count_from_it() {
    let mut scene = Scene::git();
    scene.write("sub/deep/a.txt", "one two\n");
    scene.options.caller = scene.at("sub");
    let real = fs::canonicalize(scene.root()).unwrap();
    let absolute = real.join("sub/deep/a.txt");
    let names = [
        "deep/a.txt",
        "./deep/a.txt",
        "../sub/deep/a.txt",
        absolute.to_str().unwrap(),
    ];
    for (n, name) in names.iter().enumerate() {
        let mut edit = text("x", "one", "one");
        edit.change = text("x", "two", &format!("two{n}, then two")).change;
        edit.path = PathSpec {
            relative_to: RelativeTo::Caller,
            ..PathSpec::from_root(*name)
        };
        scene.write("sub/deep/a.txt", "one two\n");
        assert!(scene.apply(vec![edit]).written, "{name}");
        assert_eq!(
            scene.read("sub/deep/a.txt"),
            format!("one two{n}, then two\n").as_bytes()
        );
    }
    let found = Worktree::discover(&scene.at("sub/deep")).unwrap();
    assert_eq!(fs::canonicalize(found.root()).unwrap(), real);
}

#[test]
fn a_linked_working_tree_has_its_own_lock_and_index() {
    let scene = Scene::git();
    scene.write("a.txt", "one two\n");
    scene.commit();
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("linked");
    scene.run_git(&["worktree", "add", "-q", "--detach", path.to_str().unwrap()]);
    let mut linked = Scene::plain();
    linked.folder = other;
    let inputs = crate::scene::parsed(vec![text("a.txt", "one two", "x y")]);
    let worktree = Worktree::discover(&path).unwrap();
    let policy = surefoot_engine::policy::Policy::BALANCED;
    let mut options = linked.options.clone();
    options.target = surefoot_engine::worktree::Target::WorktreeAndIndex;
    let outcome = surefoot_engine::worktree::apply(&worktree, &inputs, &policy, &options).unwrap();
    assert!(
        matches!(outcome, surefoot_engine::outcome::Outcome::Applied(_)),
        "{outcome:?}"
    );
    assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"x y\n");
    assert_eq!(scene.read("a.txt"), b"one two\n");
    assert_eq!(scene.run_git(&["status", "--porcelain"]), "");
}

#[test]
fn a_bare_repository_is_an_error() {
    let scene = Scene::plain();
    scene.run_git(&["init", "-q", "--bare", "--template="]);
    assert!(Worktree::discover(scene.root()).is_err());
}

#[test]
fn no_folder_is_an_error() {
    let scene = Scene::plain();
    assert!(Worktree::discover(&scene.at("nowhere")).is_err());
}

#[test]
fn a_mode_that_the_disk_does_not_keep_is_the_index_s() {
    let mut scene = Scene::git();
    scene.write("run.sh", "echo one two\n");
    scene.commit();
    scene.run_git(&["update-index", "--chmod=+x", "run.sh"]);
    scene.run_git(&["config", "core.filemode", "false"]);
    scene.options.target = surefoot_engine::worktree::Target::WorktreeAndIndex;
    scene.apply(vec![text("run.sh", "one two", "three")]);
    assert!(scene.run_git(&["ls-files", "-s"]).starts_with("100755"));
}
