//! Paths that lead out of the tree, into git's folder, or to what is no file.

use std::fs;
use std::os::unix::fs::symlink;

use surefoot_engine::worktree::Target;

use crate::scene::{Scene, create, delete, link, rename, text, with_base};

/// Checks that an edit, a creation and a rename to `path` are refused with `code`, and change
/// nothing in the tree or outside of it.
fn check(scene: &Scene, path: &str, code: &str) {
    let outside = scene.root().parent().unwrap().join("surefoot-outside.txt");
    let before = scene.tree();
    let edits = [
        ("text", text(path, "one two\n", "three\n")),
        ("create", create(path, "three\n")),
        ("rename", rename("a.txt", path)),
        ("link", link(path, "a.txt")),
    ];
    for (kind, edit) in edits {
        assert_eq!(scene.refuse(vec![edit]), code, "{kind} {path:?}");
        assert_eq!(scene.tree(), before, "{kind} {path:?}");
        assert!(!outside.exists());
    }
}

#[test]
fn names_that_leave_the_tree_are_refused() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.write("a.txt", "one two\n");
        scene.write("sub/b.txt", "one two\n");
        for path in [
            "../surefoot-outside.txt",
            "/etc/surefoot-outside",
            "sub/../../x",
            "..",
        ] {
            check(&scene, path, "outside-tree");
        }
    }
}

#[test]
fn git_s_own_folder_is_refused_in_every_spelling() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.write("a.txt", "one two\n");
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            ".GIT/config",
            ".git",
            "sub/.git/hooks/x",
            "sub/.Git",
            "git~1/config",
            ".g\u{200c}it/config",
            ".git /config",
            ".git./config",
            ".git::$INDEX_ALLOCATION/config",
        ] {
            check(&scene, path, "forbidden-path");
        }
    }
}

#[test]
fn a_hook_cannot_be_installed_by_a_new_file() {
    let scene = Scene::git();
    assert_eq!(
        scene.refuse(vec![create(".git/hooks/pre-commit", "#!/bin/sh\n")]),
        "forbidden-path"
    );
    assert!(!scene.at(".git/hooks").exists());
}

#[test]
fn nothing_passes_through_a_symbolic_link() {
    for scene in [Scene::plain(), Scene::git()] {
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("victim.txt"), "one two\n").unwrap();
        scene.write("a.txt", "one two\n");
        scene.write("real/c.txt", "one two\n");
        symlink(elsewhere.path(), scene.at("out")).unwrap();
        symlink("real", scene.at("in")).unwrap();
        check(&scene, "out/victim.txt", "outside-tree");
        check(&scene, "in/c.txt", "outside-tree");
        assert_eq!(
            fs::read(elsewhere.path().join("victim.txt")).unwrap(),
            b"one two\n"
        );
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    }
}

#[test]
fn nothing_passes_through_a_link_that_the_same_patch_makes() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.write("a.txt", "one two\n");
        scene.write("dir/c.txt", "c\n");
        let before = scene.tree();
        let sets = [
            vec![link("fresh", "dir"), create("fresh/x.txt", "x\n")],
            vec![create("fresh/x.txt", "x\n"), link("fresh", "dir")],
            vec![
                delete("dir/c.txt", "c\n"),
                link("dir", "other"),
                create("dir/x.txt", "x\n"),
            ],
            vec![create("f", "x\n"), create("f/g", "x\n")],
        ];
        for edits in sets {
            let said = format!("{edits:?}");
            scene.refuse(edits);
            assert_eq!(scene.tree(), before, "{said}");
        }
    }
}

#[test]
fn links_out_of_the_tree_or_into_git_are_not_made() {
    let scene = Scene::git();
    scene.write("a.txt", "one two\n");
    let before = scene.tree();
    for (target, code) in [
        (".git/config", "forbidden-path"),
        ("sub/../.git", "forbidden-path"),
        ("../x", "outside-tree"),
        ("/etc/passwd", "outside-tree"),
        ("a/../../x", "outside-tree"),
    ] {
        assert_eq!(scene.refuse(vec![link("new", target)]), code, "{target}");
    }
    assert_eq!(
        scene.refuse(vec![link(".gitmodules", "a.txt")]),
        "forbidden-path"
    );
    assert_eq!(scene.tree(), before);
    assert!(
        scene
            .apply(vec![link("new", "a.txt"), link("s/up", "../a.txt")])
            .written
    );
    assert_eq!(
        fs::read_link(scene.at("s/up")).unwrap().to_str(),
        Some("../a.txt")
    );
}

#[test]
fn what_is_no_regular_file_is_refused() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.write("folder/x.txt", "x\n");
        let made = std::process::Command::new("mkfifo")
            .arg(scene.at("pipe"))
            .status()
            .unwrap();
        assert!(made.success());
        let socket = std::os::unix::net::UnixListener::bind(scene.at("socket")).unwrap();
        for path in ["pipe", "socket", "folder"] {
            let code = scene.refuse(vec![text(path, "one two", "three")]);
            assert_eq!(code, "forbidden-path", "{path}");
            scene.refuse(vec![create(path, "x\n")]);
        }
        assert_eq!(
            scene.refuse(vec![create("folder/x.txt/y", "y\n")]),
            "forbidden-path"
        );
        drop(socket);
    }
}

#[test]
fn the_inside_of_another_repository_is_refused() {
    let other = Scene::git();
    other.write("lib.txt", "one two\n");
    other.commit();
    let scene = Scene::git();
    scene.write("a.txt", "one two\n");
    let url = other.root().to_str().unwrap();
    scene.run_git(&["submodule", "add", "-q", url, "module"]);
    scene.commit();
    fs::create_dir(scene.at("nested")).unwrap();
    scene.run_git(&["init", "-q", "--template=", "nested"]);
    scene.write("nested/n.txt", "one two\n");
    for path in ["module/lib.txt", "module/new.txt", "nested/n.txt"] {
        check(&scene, path, "forbidden-path");
    }
    scene.run_git(&["submodule", "deinit", "-q", "-f", "module"]);
    assert_eq!(
        scene.refuse(vec![create("module/new.txt", "x\n")]),
        "forbidden-path"
    );
}

#[test]
fn the_allow_list_is_all_that_may_change() {
    let mut scene = Scene::git();
    scene.write("src/a.txt", "one two\n");
    scene.write("docs/b.txt", "one two\n");
    scene.options.allow = vec!["src/**".into()];
    let both = || {
        vec![
            text("src/a.txt", "one two", "x y"),
            text("docs/b.txt", "one two", "x y"),
        ]
    };
    assert_eq!(scene.refuse(both()), "forbidden-path");
    assert_eq!(scene.read("src/a.txt"), b"one two\n");
    assert!(
        scene
            .apply(vec![text("src/a.txt", "one two", "x y")])
            .written
    );
}

#[test]
fn odd_but_lawful_names_work() {
    for scene in [Scene::plain(), Scene::git()] {
        for name in [
            "with blank.txt",
            "quote\".txt",
            "aux.c",
            "ü.txt",
            "a\\b.txt",
            ".gitignore",
        ] {
            scene.write(name, "one two\n");
            assert!(
                scene.apply(vec![text(name, "one two", "x y")]).written,
                "{name}"
            );
            assert_eq!(scene.read(name), b"x y\n");
        }
    }
}

#[test]
fn a_bare_repository_inside_the_tree_is_closed() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.run_git(&["init", "-q", "--bare", "--template=", "store/bare"]);
        scene.write("store/bare/notes.txt", "one\n");
        scene.write("store/HEAD", "no repository: one name alone\n");
        for edit in [
            text("store/bare/config", "bare = true", "bare = false"),
            text("store/bare/notes.txt", "one", "two"),
            create("store/bare/hooks/post-update", "#!/bin/sh\n"),
            create("store/bare/objects/info/alternates", "/elsewhere\n"),
            rename("store/HEAD", "store/bare/refs/heads/main"),
            delete("store/bare/HEAD", "ref: refs/heads/main\n"),
        ] {
            let before = scene.tree();
            assert_eq!(scene.refuse(vec![edit]), "forbidden-path");
            assert_eq!(scene.tree(), before);
        }
        scene.apply(vec![text("store/HEAD", "one name", "a name")]);
    }
}

#[test]
fn a_git_folder_that_a_file_points_to_is_closed() {
    let scene = Scene::git();
    fs::create_dir(scene.at("gits")).unwrap();
    scene.run_git(&[
        "init",
        "-q",
        "--template=",
        "--separate-git-dir",
        "gits/of-sub",
        "sub",
    ]);
    scene.write("sub/a.txt", "one\n");
    let code = scene.refuse(vec![create("gits/of-sub/hooks/pre-commit", "#!/bin/sh\n")]);
    assert_eq!(code, "forbidden-path");
    assert_eq!(
        scene.refuse(vec![text("sub/a.txt", "one", "two")]),
        "forbidden-path"
    );
    // What a linked working tree has: no objects of its own.
    scene.write("linked/HEAD", "ref: refs/heads/main\n");
    scene.write("linked/commondir", "../.git\n");
    let code = scene.refuse(vec![create("linked/config.worktree", "[core]\n")]);
    assert_eq!(code, "forbidden-path");
}

#[test]
fn no_patch_makes_a_bare_repository() {
    for scene in [Scene::plain(), Scene::git()] {
        let [head, objects, refs] = ["HEAD", "objects/info/x", "refs/heads/x"];
        let all = |folder: &str| {
            [head, objects, refs].map(|name| create(&format!("{folder}{name}"), "x\n"))
        };
        assert_eq!(scene.refuse(all("new/").into()), "forbidden-path");
        assert_eq!(scene.refuse(all("").into()), "forbidden-path");
        let linked = ["HEAD", "commondir"].map(|name| create(&format!("l/{name}"), "x\n"));
        assert_eq!(scene.refuse(linked.into()), "forbidden-path");
        // The last part is what makes it one.
        scene.apply(vec![
            create("b/HEAD", "x\n"),
            create("b/refs/heads/x", "x\n"),
        ]);
        assert_eq!(
            scene.refuse(vec![create("b/objects/info/x", "x\n")]),
            "forbidden-path"
        );
        // Parts of a name, or one that goes in the same patch, make none.
        scene.apply(vec![
            create("c/objects/x.rs", "x\n"),
            create("c/refs/x.rs", "x\n"),
        ]);
        scene.apply(vec![
            delete("b/HEAD", "x\n"),
            create("b/objects/info/x", "x\n"),
        ]);
    }
}

#[test]
fn what_git_reads_from_the_tree_is_no_link() {
    for target in [Target::Worktree, Target::WorktreeAndIndex, Target::Index] {
        let mut scene = Scene::git();
        scene.options.target = target;
        scene.write("rules.txt", "*.o\n");
        scene.commit();
        let before = scene.tree();
        for name in [".gitattributes", ".gitignore", ".gitmodules", ".mailmap"] {
            for path in [name.to_owned(), format!("sub/{name}"), name.to_uppercase()] {
                let to = if path.contains('/') {
                    "../rules.txt"
                } else {
                    "rules.txt"
                };
                let code = scene.refuse(vec![link(&path, to)]);
                assert_eq!(code, "forbidden-path", "{target:?} {path}");
            }
        }
        for to in ["../outside", "/etc/passwd", ".git/config", "sub/../../x"] {
            let code = scene.refuse(vec![link("new", to)]);
            assert!(
                ["outside-tree", "forbidden-path"].contains(&code),
                "{target:?} {to}"
            );
        }
        assert_eq!(scene.tree(), before);
        assert_eq!(scene.run_git(&["ls-files"]), "rules.txt\n");
        scene.apply(vec![create(".gitignore", "*.o\n")]);
        scene.apply(vec![link("gitignore", "rules.txt")]);
    }
}

/// Where case does not count a path has one spelling: the index's. Here the file system itself
/// tells them apart, so this is what the rules say and not what such a disk would do.
#[test]
fn where_case_does_not_count_a_path_has_one_spelling() {
    let at = |path: &str| create(path, "new here\n");
    for target in [Target::Worktree, Target::WorktreeAndIndex, Target::Index] {
        let mut scene = Scene::git();
        scene.options.target = target;
        scene.run_git(&["config", "core.ignorecase", "true"]);
        scene.write("f.txt", "one\n");
        scene.write("Dir/a.txt", "one\n");
        scene.write("\u{dc}ber.txt", "one\n");
        scene.commit();
        for path in [
            "F.txt",
            "dir/b.txt",
            "DIR/sub/b.txt",
            "dir",
            "F.TXT/b",
            "\u{fc}ber.txt",
        ] {
            assert_eq!(
                scene.refuse(vec![at(path)]),
                "forbidden-path",
                "{target:?} {path}"
            );
        }
        if target == Target::Worktree {
            scene.write("F.txt", "two\n");
            assert_eq!(
                scene.refuse(vec![delete("F.txt", "two\n")]),
                "forbidden-path"
            );
            fs::remove_file(scene.at("F.txt")).unwrap();
        }
        let both = vec![at("new.txt"), at("New.txt")];
        assert_eq!(scene.refuse(both), "forbidden-path", "{target:?}");
        scene.apply(vec![at("Dir/b.txt"), at("g.txt"), at("directory/a.txt")]);
        let id = scene.run_git(&["rev-parse", "HEAD:f.txt"]);
        scene.apply(vec![with_base(rename("f.txt", "F.txt"), &id)]);
        scene.apply(vec![delete("Dir/a.txt", "one\n"), at("Dir/A.txt")]);
        if target != Target::Index {
            assert_eq!(scene.read("F.txt"), b"one\n");
            assert!(!scene.at("f.txt").exists());
        }
        if target != Target::Worktree {
            let files = "Dir/A.txt\nDir/b.txt\nF.txt\ndirectory/a.txt\ng.txt\n";
            assert!(scene.run_git(&["ls-files"]).starts_with(files));
        }
    }
}
