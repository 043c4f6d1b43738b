use super::*;

/// Runs `names` of a set, every one where none is named, on so many threads.
fn outcomes(set: Set, names: &[&str], jobs: usize, shard: Shard) -> Rows {
    let options = Options {
        set: Vec::new(),
        lang: None,
        only: names.iter().map(|name| (*name).to_owned()).collect(),
        jobs: NonZero::new(jobs),
        shard: Some(shard),
        rows: None,
        json: false,
        html: None,
        cache: None,
    };
    run_set(set, &options).unwrap()
}

/// The whole grid, every trial of it: a change of any shows as a changed letter.
#[test]
fn every_trial_ends_as_recorded() {
    let outcomes = outcomes(Set::Grid, &[], 2, Shard::WHOLE).outcomes;
    let wrong = outcomes.wrong();
    assert!(wrong.is_empty(), "{wrong:?}");
    insta::with_settings!({
        snapshot_path => "../../../snapshots/grid",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("cells", tables::markdown(&outcomes));
        insta::assert_snapshot!("letters", outcomes.letters());
    });
}

#[test]
fn any_number_of_threads_gives_the_same_digest() {
    let digest = |jobs| {
        let rows = outcomes(Set::Grid, &["sr-exact", "line"], jobs, Shard::WHOLE);
        rows.outcomes.digest()
    };
    assert_eq!(digest(1), digest(3));
}

fn text(rows: &Rows) -> String {
    let mut bytes = Vec::new();
    rows.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Four parts, run apart and put together in another order, are one run byte for byte.
#[test]
fn parts_make_up_the_run() {
    let names = ["sr-exact", "surefoot-balanced-str-replace"];
    let whole = outcomes(Set::Harsh, &names, 2, Shard::WHOLE);
    let first: Shard = "0/4".parse().unwrap();
    let mut parts: Vec<Rows> = first
        .siblings()
        .map(|shard| text(&outcomes(Set::Harsh, &names, 2, shard)))
        .map(|text| Rows::read(&text).unwrap())
        .collect();
    parts.reverse();
    let merged = Rows::merge(parts.clone()).unwrap();
    assert!(text(&merged) == text(&whole));
    let message = |parts: &[Rows]| Rows::merge(parts.to_vec()).unwrap_err().to_string();
    assert!(message(&parts[1..]).contains("found 0/4, 1/4, 2/4"));
    let twice = [&parts[..], &parts[..1]].concat();
    assert!(message(&twice).contains("3/4, 3/4"));
    parts[0].manifest.clear();
    assert!(message(&parts).contains("different runs"));
}

/// What a row cannot say is told, with the row's number.
#[test]
fn damaged_rows_are_refused() {
    let good = text(&outcomes(Set::Grid, &["line"], 2, "0/64".parse().unwrap()));
    assert!(Rows::read(&good).is_ok());
    let last = good.lines().last().unwrap();
    for (damage, why) in [
        (format!("{good}{last}\n"), "twice"),
        (
            good.replacen("\"clean\"", "\"fine\"", 1)
                .replacen("\"success\"", "\"fine\"", 1),
            "`fine` is no outcome",
        ),
        (
            good.replace("\"condition\":\"none\"", "\"condition\":\"nine\""),
            "not in the head",
        ),
        (good.trim_end_matches("\"}\n").to_owned(), "EOF"),
        (String::new(), "EOF"),
    ] {
        let trouble = Rows::read(&damage).unwrap_err().to_string();
        assert!(trouble.contains(why), "{trouble}");
    }
}

/// Other programs find each cell once, the grid's digest beside them.
#[test]
fn a_summary_has_each_cell_once() {
    let whole = |set| outcomes(set, &["line"], 2, Shard::WHOLE).outcomes;
    let sets = [whole(Set::Grid), whole(Set::Harsh)];
    let summary = serde_json::to_value(Summary::of(&sets)).unwrap();
    let cells = summary["cells"].as_array().unwrap();
    let keys = cells.iter().map(|cell| {
        let key = ["applier", "condition", "evidence"].map(|key| cell[key].as_str().unwrap());
        key.map(str::to_owned)
    });
    let keys: std::collections::BTreeSet<_> = keys.collect();
    assert_eq!(keys.len(), cells.len());
    let shift = cells
        .iter()
        .find(|cell| cell["condition"] == "shift-1" && cell["applier"] == "line");
    assert_eq!(shift.unwrap()["clean"], 8);
    assert_eq!(shift.unwrap()["silent"], 632);
    assert_eq!(summary["digest"], serde_json::Value::Null);
}
