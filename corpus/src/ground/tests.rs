use std::path::Path;

use crate::{Grade, Run, Setting, cases};

fn run(status: i32, report: &str) -> Run {
    Run {
        status: Some(status),
        stdout: report.into(),
    }
}

const APPLIED: &str = r#"{"outcome":"applied","refusals":[]}"#;

fn refused(code: &str) -> String {
    format!(r#"{{"outcome":"refused","refusals":[{{"code":"{code}","message":"m"}}]}}"#)
}

/// Lays out the case `name`, lets `act` change the tree, and grades `status` and `report`.
#[track_caller]
fn check(
    name: &str,
    act: impl Fn(&Path),
    status: i32,
    report: &str,
    wanted: impl Fn(&Grade) -> bool,
) {
    let cases = cases().unwrap();
    let case = cases.iter().find(|case| case.name == name).unwrap();
    for trial in case.trials() {
        let work = tempfile::tempdir().unwrap();
        let ground = trial.lay_out(work.path()).unwrap();
        assert_eq!(ground.tree().unwrap(), case.before, "{trial}");
        act(ground.root());
        let grade = ground.grade(&run(status, report)).unwrap();
        assert!(wanted(&grade), "{trial}: {grade:?}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
fn write(root: &Path, name: &str, content: &str) {
    std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
    std::fs::write(root.join(name), content).unwrap();
}

#[test]
fn the_tree_counts_before_the_words() {
    let nothing = |_: &Path| {};
    let right = |root: &Path| write(root, "f.sh", "PAT='$& $$ $1 $`'\n");
    let wrong = |root: &Path| write(root, "f.sh", "PAT=''\n");
    let more = |root: &Path| {
        right(root);
        write(root, "left.tmp", "");
    };
    let name = "misland-30-dollar-signs";
    check(name, right, 0, APPLIED, Grade::is_right);
    check(name, nothing, 0, APPLIED, |grade| {
        matches!(grade, Grade::Silent(_))
    });
    check(name, wrong, 0, APPLIED, |grade| {
        matches!(grade, Grade::Silent(_))
    });
    check(name, more, 0, APPLIED, |grade| {
        matches!(grade, Grade::Silent(_))
    });
    check(name, right, 1, APPLIED, |grade| {
        matches!(grade, Grade::Trouble(_))
    });
    check(name, right, 0, "", |grade| {
        matches!(grade, Grade::Trouble(_))
    });
    check(name, right, 1, &refused("x"), |grade| {
        matches!(grade, Grade::Dirty(_))
    });
    check(name, nothing, 1, &refused("x"), |grade| {
        matches!(grade, Grade::OverRefusal(_))
    });
}

#[test]
fn a_right_refusal_names_its_code_and_leaves_all_as_it_was() {
    let nothing = |_: &Path| {};
    let hook = |root: &Path| write(root, ".git/hooks/pre-commit", "");
    check(
        "landing-hook",
        nothing,
        1,
        &refused("forbidden-path"),
        Grade::is_right,
    );
    check("landing-hook", nothing, 1, &refused("x"), |grade| {
        matches!(grade, Grade::Code(_))
    });
    check(
        "landing-hook",
        hook,
        1,
        &refused("forbidden-path"),
        |grade| matches!(grade, Grade::Dirty(_)),
    );
    let outside = |root: &Path| write(root, "../outside.txt", "gone\n");
    check(
        "pair-parent-traversal",
        outside,
        1,
        &refused("outside-tree"),
        |grade| matches!(grade, Grade::Dirty(_)),
    );
}

#[test]
fn a_later_case_may_be_refused_but_never_lands_wrong() {
    let name = "block-uniform-indent-drift";
    let wrong = |root: &Path| write(root, "worker.py", "while queue:\n");
    check(
        name,
        |_| {},
        1,
        &refused("x"),
        |grade| *grade == Grade::Later,
    );
    check(name, wrong, 0, APPLIED, |grade| {
        matches!(grade, Grade::Silent(_))
    });
}

#[test]
fn what_the_author_saw_is_in_the_repository_where_the_setting_says_so() {
    let cases = cases().unwrap();
    let case = cases
        .iter()
        .find(|case| case.name == "landing-period-shift")
        .unwrap();
    for trial in case.trials().iter().filter(|trial| trial.setting.has_git()) {
        let work = tempfile::tempdir().unwrap();
        let ground = trial.lay_out(work.path()).unwrap();
        let id = "4925df784d08f7424d7e8e88615ae258e6021948";
        let mut git = std::process::Command::new("git");
        git.arg("-C")
            .arg(ground.root())
            .args(["cat-file", "-e", id]);
        let holds = git.output().unwrap().status.success();
        assert_eq!(
            holds,
            matches!(trial.setting, Setting::Blob | Setting::Dirty),
            "{trial}"
        );
    }
}
