//! The index: written with the files, alone, or not at all.

use std::fs;

use surefoot_engine::patch::Edit;
use surefoot_engine::worktree::Target;

use crate::scene::{Scene, create, delete, rename, text, with_base};

fn scene(target: Target) -> Scene {
    let mut scene = Scene::git();
    scene.write("a.txt", "alpha one\nbeta two\n");
    scene.write("sub/b.txt", "to be removed\n");
    scene.write("c.txt", "moved along\n");
    scene.commit();
    scene.options.target = target;
    scene
}

#[test]
fn files_and_index_become_what_git_makes_of_them() {
    let scene = scene(Target::WorktreeAndIndex);
    let id = scene.run_git(&["hash-object", "c.txt"]);
    scene.apply(vec![
        text("a.txt", "beta two", "beta three"),
        delete("sub/b.txt", "to be removed\n"),
        with_base(rename("c.txt", "new/c.txt"), &id),
        create("new/d.txt", "new here\n"),
    ]);
    let tree = scene.run_git(&["write-tree"]);
    // This one believes the index's word for each file, and does not look for itself.
    assert_eq!(scene.run_git(&["diff-files"]), "");
    assert_eq!(
        scene
            .run_git(&["status", "--porcelain"])
            .matches("??")
            .count(),
        0
    );
    assert_eq!(scene.run_git(&["diff", "--stat"]), "");
    scene.run_git(&["add", "-A"]);
    assert_eq!(scene.run_git(&["write-tree"]), tree);
    scene.run_git(&["commit", "-qm", "next"]);
    assert_eq!(scene.run_git(&["rev-parse", "HEAD^{tree}"]), tree);
    scene.run_git(&["fsck", "--strict"]);
}

#[test]
fn the_index_alone_changes_with_cached() {
    let scene = scene(Target::Index);
    scene.write("a.txt", "the file is something else\n");
    scene.apply(vec![
        text("a.txt", "beta two", "beta three"),
        create("new/d.txt", "new here\n"),
    ]);
    assert_eq!(scene.read("a.txt"), b"the file is something else\n");
    assert!(!scene.at("new").exists());
    assert_eq!(
        scene.run_git(&["show", ":a.txt"]),
        "alpha one\nbeta three\n"
    );
    assert_eq!(scene.run_git(&["show", ":new/d.txt"]), "new here\n");
    scene.run_git(&["fsck", "--strict"]);
}

#[test]
fn a_file_that_differs_from_its_entry_is_dirty() {
    let scene = scene(Target::WorktreeAndIndex);
    scene.write("a.txt", "alpha one\nbeta two\nand more\n");
    let before = scene.run_git(&["ls-files", "-s"]);
    assert_eq!(
        scene.refuse(vec![text("a.txt", "beta two", "beta three")]),
        "dirty"
    );
    scene.write("untracked.txt", "beta two\n");
    assert_eq!(
        scene.refuse(vec![text("untracked.txt", "beta two", "x y")]),
        "dirty"
    );
    fs::remove_file(scene.at("c.txt")).unwrap();
    assert_eq!(scene.refuse(vec![create("c.txt", "new\n")]), "dirty");
    assert_eq!(scene.run_git(&["ls-files", "-s"]), before);
}

#[test]
fn the_index_is_not_touched_without_being_asked() {
    let scene = scene(Target::Worktree);
    let before = fs::read(scene.at(".git/index")).unwrap();
    scene.apply(vec![text("a.txt", "beta two", "beta three")]);
    assert_eq!(fs::read(scene.at(".git/index")).unwrap(), before);
    assert!(!scene.at(".git/surefoot.lock").exists());
}

#[test]
fn a_lock_that_git_holds_is_respected() {
    for target in [Target::WorktreeAndIndex, Target::Index] {
        let scene = scene(target);
        fs::write(scene.at(".git/index.lock"), "").unwrap();
        let before = scene.tree();
        let error = scene
            .try_apply(vec![text("a.txt", "beta two", "beta three")])
            .unwrap_err();
        assert!(error.to_string().contains("index"), "{error}");
        assert_eq!(scene.tree(), before);
        assert!(scene.at(".git/index.lock").exists());
        assert!(!scene.at(".git/surefoot.lock").exists());
    }
}

/// Brings about a conflict in `a.txt`, by `how`.
fn conflict(scene: &Scene, how: &[&str]) {
    scene.run_git(&["branch", "-q", "other"]);
    scene.write("a.txt", "alpha one\nbeta ours\n");
    scene.commit();
    scene.run_git(&["checkout", "-q", "other"]);
    scene.write("a.txt", "alpha one\nbeta theirs\n");
    scene.commit();
    let main = scene.run_git(&[
        "for-each-ref",
        "--format=%(refname:short)",
        "--exclude=*other",
    ]);
    let main = main
        .lines()
        .find(|name| *name != "other")
        .unwrap()
        .to_owned();
    let arguments: Vec<&str> = how.iter().copied().chain([main.as_str()]).collect();
    assert!(!scene.try_git(&arguments).0, "no conflict from {how:?}");
}

#[test]
fn what_is_in_progress_holds_the_index_and_not_the_files() {
    for how in [
        &["merge", "-q"][..],
        &["rebase", "-q"],
        &["rebase", "-q", "--apply"],
        &["cherry-pick"],
    ] {
        let mut scene = scene(Target::Worktree);
        conflict(&scene, how);
        let code = scene.refuse(vec![text("a.txt", "beta theirs", "beta both")]);
        assert_eq!(code, "unmerged", "{how:?}");
        let applied = scene.apply(vec![text("c.txt", "moved along", "changed meanwhile")]);
        let codes = applied.plan.warnings().iter().map(|warning| warning.code);
        assert_eq!(codes.collect::<Vec<_>>(), ["in-progress"], "{how:?}");
        for target in [Target::WorktreeAndIndex, Target::Index] {
            scene.options.target = target;
            let edit = text("c.txt", "changed meanwhile", "changed again");
            assert_eq!(scene.refuse(vec![edit]), "unsupported", "{how:?}");
        }
    }
}

#[test]
fn a_split_index_becomes_whole() {
    let scene = scene(Target::WorktreeAndIndex);
    scene.run_git(&["update-index", "--split-index"]);
    scene.write("c.txt", "in the upper part\n");
    scene.run_git(&["add", "c.txt"]);
    scene.apply(vec![text("a.txt", "beta two", "beta three")]);
    let tree = scene.run_git(&["write-tree"]);
    scene.run_git(&["add", "-A"]);
    assert_eq!(scene.run_git(&["write-tree"]), tree);
    assert_eq!(scene.run_git(&["diff", "--stat"]), "");
}

#[test]
fn a_sparse_index_is_refused() {
    let scene = scene(Target::WorktreeAndIndex);
    scene.run_git(&["sparse-checkout", "init", "--cone", "--sparse-index"]);
    let listed = scene.run_git(&["ls-files", "--sparse"]);
    assert!(listed.contains("sub/\n"), "{listed}");
    let before = scene.tree();
    let code = scene.refuse(vec![text("a.txt", "beta two", "beta three")]);
    assert_eq!(code, "unsupported");
    assert_eq!(scene.tree(), before);
    assert!(!scene.at(".git/index.lock").exists());
}

#[test]
fn what_a_sparse_index_folds_away_is_not_made_anew() {
    let scene = scene(Target::Worktree);
    scene.run_git(&["sparse-checkout", "init", "--cone", "--sparse-index"]);
    assert!(!scene.at("sub/b.txt").exists());
    let code = scene.refuse(vec![create("sub/b.txt", "another\n")]);
    assert_eq!(code, "unsupported");
    assert!(!scene.at("sub").exists());
}

#[test]
fn a_path_that_is_left_out_of_the_tree_is_refused() {
    let scene = scene(Target::Worktree);
    scene.run_git(&["update-index", "--skip-worktree", "c.txt"]);
    fs::remove_file(scene.at("c.txt")).unwrap();
    assert_eq!(scene.refuse(vec![create("c.txt", "new\n")]), "unsupported");
}

#[test]
fn flags_of_other_entries_survive() {
    let scene = scene(Target::WorktreeAndIndex);
    scene.run_git(&["update-index", "--assume-unchanged", "c.txt"]);
    scene.apply(vec![text("a.txt", "beta two", "beta three")]);
    let flags = scene.run_git(&["ls-files", "-v"]);
    assert!(flags.contains("h c.txt"), "{flags}");
}

/// A patch that changes `attributes` and `a.txt`: lands as git itself would store it, or not at all.
fn check_attributes(files: [&str; 2], before: Option<&str>, edit: &Edit, lands: bool) {
    for target in [Target::WorktreeAndIndex, Target::Worktree] {
        let [name, content] = files;
        let mut scene = Scene::git();
        scene.options.target = target;
        scene.run_git(&["config", "core.safecrlf", "false"]);
        scene.run_git(&["config", "filter.mine.clean", "touch ran; cat"]);
        if let Some(before) = before {
            scene.write(".gitattributes", before);
        }
        scene.write(name, content);
        scene.commit();
        let tree = scene.tree();
        let edits = vec![edit.clone(), text(name, "key = one", "key = two")];
        let what = format!("{target:?} {before:?} {files:?} {edit:?}");
        // In the tree alone, a file that is gone still counts as the index has it.
        let gone = matches!(edit.change, surefoot_engine::patch::Change::Delete { .. });
        let lands = lands || gone && target == Target::Worktree;
        if !lands {
            assert_eq!(scene.refuse(edits), "unsupported", "{what}");
            assert_eq!(scene.tree(), tree, "{what}");
            continue;
        }
        let applied = scene.apply(edits);
        let after = applied
            .plan
            .files()
            .iter()
            .find(|file| file.path.as_bstr() == name);
        let after = after.unwrap().after.unwrap().to_string();
        if target == Target::WorktreeAndIndex {
            assert_eq!(
                scene.run_git(&["rev-parse", &format!(":{name}")]).trim(),
                after,
                "{what}"
            );
        }
        scene.run_git(&["add", "--renormalize", name]);
        assert_eq!(
            scene.run_git(&["rev-parse", &format!(":{name}")]).trim(),
            after,
            "{what}"
        );
    }
}

#[test]
fn a_patch_that_changes_attributes_is_stored_by_the_new_ones_or_refused() {
    let new = |content| create(".gitattributes", content);
    let crlf = ["a.txt", "a first line\r\nkey = one\r\n"];
    let lf = ["a.txt", "a first line\nkey = one\n"];
    check_attributes(crlf, None, &new("*.txt text\n"), false);
    check_attributes(crlf, None, &new("*.md text\n"), true);
    check_attributes(lf, None, &new("*.txt text\n"), true);
    check_attributes(lf, None, &new("*.txt text=auto diff=other\n"), true);
    check_attributes(lf, None, &new("*.txt filter=mine\n"), false);
    check_attributes(
        lf,
        None,
        &new("*.txt working-tree-encoding=UTF-16\n"),
        false,
    );
    let old = "*.txt text\n";
    check_attributes(
        crlf,
        Some(old),
        &text(".gitattributes", "txt text", "txt -text"),
        false,
    );
    check_attributes(
        crlf,
        Some(old),
        &text(".gitattributes", "txt text", "txt text diff"),
        true,
    );
    check_attributes(crlf, Some(old), &delete(".gitattributes", old), false);
    check_attributes(lf, Some(old), &delete(".gitattributes", old), true);
    let below = create("sub/.gitattributes", "*.txt text\n");
    check_attributes(["sub/a.txt", crlf[1]], None, &below, false);
    check_attributes(["sub/deep/a.txt", crlf[1]], None, &below, false);
    check_attributes(["other/a.txt", crlf[1]], None, &below, true);
}

#[test]
fn an_attributes_file_that_the_configuration_names_counts_too() {
    let mut scene = Scene::git();
    scene.options.target = Target::WorktreeAndIndex;
    scene.write("attrs", "*.md text\n");
    scene.write("a.txt", "a first line\r\nkey = one\r\n");
    let file = scene.at("attrs");
    scene.run_git(&["config", "core.attributesFile", file.to_str().unwrap()]);
    scene.commit();
    let attributes = || text("attrs", "*.md", "*.txt");
    let edits = vec![attributes(), text("a.txt", "key = one", "key = two")];
    assert_eq!(scene.refuse(edits), "unsupported");
    // Alone it is a file like others.
    scene.apply(vec![attributes()]);
}
