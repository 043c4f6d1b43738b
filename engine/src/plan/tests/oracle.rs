//! What lands is what the plainest reading of the edit gives: each property here says so with code
//! of its own, which knows nothing but strings.

use super::*;

/// Texts of few kinds of line, so that twins, blanks and joined lines are common.
fn text_of_few() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a1", "b2", "x = 1", "x = 10", "}", " ", "    ", "\n", "\n", "\r\n", "é", "…", "-", "\t",
        "\u{a0}",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
}

/// Counts the places of `needle`, overlapping ones too.
fn count(text: &str, needle: &str) -> usize {
    (0..text.len())
        .filter(|at| text.as_bytes()[*at..].starts_with(needle.as_bytes()))
        .count()
}

/// Whether `found` is `wanted`, but for newlines at the very end: whether `file` ends in one is its own
/// to say, whatever the edit's last line shows.
fn agrees(found: &str, wanted: &str, file: &str) -> bool {
    let (found, wanted) = (plain(found), plain(wanted));
    if file.ends_with('\n') {
        found == wanted || found == format!("{wanted}\n") || format!("{found}\n") == wanted
    } else {
        found.trim_end_matches('\n') == wanted.trim_end_matches('\n')
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_text_that_lands_has_replaced_its_only_place(
        file in text_of_few(), at in 0usize..40, len in 1usize..20, new in text_of_few(),
    ) {
        let chars: Vec<char> = file.chars().collect();
        prop_assume!(!chars.is_empty());
        let at = at % chars.len();
        let old: String = chars[at..].iter().take(len).collect();
        // Half a line ending is nothing that a tool quotes.
        prop_assume!(!plain(&old).is_empty() && !old.ends_with('\r') && !chars[..at].ends_with(&['\r']));
        let edit = modify(vec![Hunk::Text(text(&old, &new))], Order::Any);
        if let Ok(result) = outcome(&tree(&file), edit) {
            // A last newline that the file lacks counts as there.
            let padded = format!("{}\n", plain(&file));
            prop_assert_eq!(count(&padded, &plain(&old)), 1, "{:?} in {:?}", old, file);
            let wanted = padded.replacen(&plain(&old), &plain(&new), 1);
            prop_assert!(
                agrees(&result, &wanted, &file),
                "{:?} -> {:?} in {:?} gave {:?}", old, new, file, result
            );
        }
    }

    #[test]
    fn lines_that_land_have_replaced_their_only_place(
        file in text_of_few(), at in 0usize..10, len in 1usize..4, new in text_of_few(), context in 0usize..2,
    ) {
        let padded = plain(&file);
        let lines: Vec<&str> = padded.split_inclusive('\n').map(|l| l.trim_end_matches('\n')).collect();
        prop_assume!(!lines.is_empty());
        let at = at % lines.len();
        let old: Vec<&str> = lines[at..].iter().take(len).copied().collect();
        let gone = &old[context.min(old.len())..];
        let new = plain(&new);
        let comes: Vec<&str> = new.split_inclusive('\n').map(|l| l.trim_end_matches('\n')).collect();
        let ended = |line: &&str| BString::from(format!("{line}\n"));
        let mut body: Vec<Line> = old[..old.len() - gone.len()].iter().map(|l| Line::Context(ended(l))).collect();
        body.extend(gone.iter().map(|l| Line::Delete(ended(l))));
        body.extend(comes.iter().map(|l| Line::Insert(ended(l))));
        let hunk = LineHunk { lines: body, ..LineHunk::default() };
        let edit = modify(vec![Hunk::Lines(hunk)], Order::Any);
        if let Ok(result) = outcome(&tree(&file), edit) {
            let places: Vec<usize> = (0..lines.len()).filter(|k| lines[*k..].starts_with(&old)).collect();
            prop_assert_eq!(places.len(), 1, "{:?} in {:?}", old, file);
            let first = places[0] + old.len() - gone.len();
            let mut wanted: Vec<&str> = lines[..first].to_vec();
            wanted.extend(&comes);
            wanted.extend(&lines[first + gone.len()..]);
            let wanted = wanted.join("\n");
            prop_assert!(
                agrees(&result, &wanted, &file),
                "{:?} -> {:?} in {:?} gave {:?}", old, comes, file, result
            );
        }
    }
}
