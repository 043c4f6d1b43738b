//! Blob ids are those that git gives, under every normalisation that it does by itself.

use crate::scene::{Scene, text};

/// Checks that the ids before and after an edit of `path` are git's own.
fn check(scene: &Scene, path: &str, content: &[u8]) {
    scene.write(path, content);
    let before = scene.run_git(&["hash-object", "--path", path, path]);
    let applied = scene.apply(vec![text(path, "key = one", "key = two")]);
    let after = scene.run_git(&["hash-object", "--path", path, path]);
    let file = &applied.plan.files()[0];
    assert_eq!(
        file.before.unwrap().to_string(),
        before.trim(),
        "{path} before"
    );
    assert_eq!(
        file.after.unwrap().to_string(),
        after.trim(),
        "{path} after"
    );
}

const CONTENTS: [&[u8]; 4] = [
    b"a first line\nkey = one\nlast\n",
    b"a first line\r\nkey = one\r\nlast\r\n",
    b"a first line\nkey = one\r\nlast",
    b"$Id$ of it\nkey = one\n\x00\xff",
];

#[test]
fn ids_are_git_s() {
    for autocrlf in ["false", "true", "input"] {
        for attributes in [
            "",
            "* text=auto\n",
            "*.txt text eol=crlf\n",
            "*.txt text eol=lf\n",
            "*.txt -text\n",
            "*.txt ident\n",
            "*.txt binary\n",
            "sub/*.txt text\n",
        ] {
            let scene = Scene::git();
            scene.run_git(&["config", "core.autocrlf", autocrlf]);
            scene.run_git(&["config", "core.safecrlf", "false"]);
            if !attributes.is_empty() {
                scene.write(".gitattributes", attributes);
            }
            for (n, content) in CONTENTS.iter().enumerate() {
                check_or_refuse(&scene, &format!("f{n}.txt"), content);
                check_or_refuse(&scene, &format!("sub/f{n}.txt"), content);
            }
        }
    }
}

/// As [`check`], but line endings that git would not give back may be refused.
fn check_or_refuse(scene: &Scene, path: &str, content: &[u8]) {
    scene.write(path, content);
    scene.run_git(&["add", "-A"]);
    if let Ok(surefoot_engine::outcome::Outcome::Refused(refused)) = {
        let mut probe = Scene {
            folder: tempfile::tempdir().unwrap(),
            ..Scene::plain()
        };
        probe.options = scene.options.clone();
        probe.options.check = true;
        let worktree = surefoot_engine::worktree::Worktree::discover(scene.root()).unwrap();
        let edits = crate::scene::parsed(vec![text(path, "key = one", "key = two")]);
        let policy = surefoot_engine::policy::Policy::BALANCED;
        surefoot_engine::worktree::apply(&worktree, &edits, &policy, &probe.options)
    } {
        assert_eq!(
            refused.refusals()[0].reason.code(),
            "unsupported",
            "{path}: {refused}"
        );
        return;
    }
    check(scene, path, content);
}

#[test]
fn attributes_of_a_folder_of_the_repository_and_of_the_index_count() {
    let crlf = CONTENTS[1];
    let scene = Scene::git();
    scene.write("sub/.gitattributes", "*.txt text\n");
    check(&scene, "sub/deep/a.txt", crlf);
    check(&scene, "other/a.txt", crlf);
    std::fs::create_dir_all(scene.at(".git/info")).unwrap();
    std::fs::write(scene.at(".git/info/attributes"), "*.md text\n").unwrap();
    check(&scene, "a.md", crlf);
    let scene = Scene::git();
    scene.write(".gitattributes", "*.txt text\n");
    scene.run_git(&["add", ".gitattributes"]);
    std::fs::remove_file(scene.at(".gitattributes")).unwrap();
    // Here `git hash-object` does not ask the index, and `git add` does.
    scene.write("a.txt", crlf);
    let applied = scene.apply(vec![text("a.txt", "key = one", "key = two")]);
    scene.run_git(&["add", "a.txt"]);
    let staged = scene.run_git(&["rev-parse", ":a.txt"]);
    assert_eq!(
        applied.plan.files()[0].after.unwrap().to_string(),
        staged.trim()
    );
    let before = applied.plan.files()[0].before.unwrap();
    scene.write("a.txt", crlf);
    scene.run_git(&["add", "a.txt"]);
    assert_eq!(
        before.to_string(),
        scene.run_git(&["rev-parse", ":a.txt"]).trim()
    );
}

#[test]
fn filters_and_encodings_are_refused_and_never_run() {
    let scene = Scene::git();
    let ran = scene.at(".git/ran");
    let command = format!("touch '{}'; cat", ran.display());
    scene.run_git(&["config", "filter.mine.clean", &command]);
    scene.write(
        ".gitattributes",
        "*.f filter=mine\n*.e working-tree-encoding=UTF-16\n*.g filter=none\n",
    );
    for name in ["a.f", "a.e", "a.g"] {
        scene.write(name, "key = one\n");
    }
    for name in ["a.f", "a.e"] {
        assert_eq!(
            scene.refuse(vec![text(name, "key = one", "key = two")]),
            "unsupported"
        );
        assert_eq!(scene.read(name), b"key = one\n");
    }
    assert!(!ran.exists(), "the filter ran");
    // git does nothing for a filter that nobody configured.
    scene.apply(vec![text("a.g", "key = one", "key = two")]);
}

#[test]
fn a_sha256_repository_has_its_own_ids() {
    let scene = Scene::plain();
    scene.run_git(&["init", "-q", "--template=", "--object-format=sha256"]);
    check(&scene, "a.txt", CONTENTS[0]);
}

#[test]
fn a_base_names_what_was_seen() {
    let mut scene = Scene::git();
    scene.write("a.txt", "key = one\nrest of it\n");
    scene.commit();
    scene.options.base = Some("no-such-revision".into());
    let edit = || vec![text("a.txt", "key = one", "key = two")];
    assert!(scene.try_apply(edit()).is_err());
    scene.options.base = Some("HEAD".into());
    scene.apply(edit());
    assert_eq!(scene.read("a.txt"), b"key = two\nrest of it\n");
}

#[test]
fn a_second_edit_of_what_we_wrote_lands() {
    let scene = Scene::git();
    scene.write("a.txt", "key = one\nother = one\n");
    scene.commit();
    scene.apply(vec![text("a.txt", "key = one", "key = two")]);
    scene.apply(vec![text("a.txt", "other = one", "other = two")]);
    assert_eq!(scene.read("a.txt"), b"key = two\nother = two\n");
}
