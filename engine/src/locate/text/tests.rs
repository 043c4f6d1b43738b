use proptest::prelude::*;

use super::*;
use crate::locate::budget::Budget;
use crate::locate::naive;
use crate::policy::Policy;

fn occurrences(file: &File<'_>, text: &str) -> Vec<Range<usize>> {
    let budget = Budget::for_bytes(0);
    let cx = Context {
        file,
        base: BaseProof::None,
        witness: None,
        policy: &Policy::BALANCED,
        budget: &budget,
    };
    Needle::new(text.as_bytes())
        .occurrences(Count::One, &cx)
        .unwrap()
}

/// Returns how often `text` stands in `file`, without regard to how lines end.
fn naive_count(file: &str, text: &str) -> usize {
    let plain = |text: &str| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.replace("\r\n", "\n")
    };
    // Without a newline in it, a text is compared as it is, and could hold a CR.
    let file = if text.contains('\n') {
        plain(file)
    } else {
        file.to_owned()
    };
    let text = plain(text);
    let found = naive::find_text(file.as_bytes(), text.as_bytes()).len();
    let at_end = text
        .strip_suffix('\n')
        .is_some_and(|rest| !rest.is_empty() && file.ends_with(rest));
    // A blank line at the end of a file that does not have it is taken for want of a better place.
    found + usize::from(at_end && (!file.ends_with('\n') || found == 0))
}

proptest! {
    #[test]
    fn a_text_is_found_wherever_it_stands_alone_or_with_others(
        mark in prop::bool::ANY,
        lines in prop::collection::vec(("[ab ]{0,6}", prop::bool::ANY), 0..8),
        last in "[ab]{0,3}",
        texts in prop::collection::vec("[ab ]{0,3}(\n[ab ]{0,3}){0,3}", 1..10),
    ) {
        let ending = |crlf: &bool| if *crlf { "\r\n" } else { "\n" };
        let mut text = if mark { "\u{feff}".to_owned() } else { String::new() };
        text.extend(lines.iter().map(|(line, crlf)| line.clone() + ending(crlf)));
        text += &last;
        let (file, swept) = (File::new(text.as_bytes()), File::new(text.as_bytes()));
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let needles: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        swept.sweep(&needles, ENOUGH, &Budget::for_bytes(0)).unwrap();
        for needle in &texts {
            let found = occurrences(&file, needle);
            prop_assert_eq!(&found, &occurrences(&swept, needle), "{:?}", needle);
            prop_assert_eq!(found.len(), naive_count(&text, needle), "{:?}", needle);
            for place in found {
                let stands = text.get(place).unwrap().replace("\r\n", "\n");
                let unfinished = needle.strip_suffix('\n');
                prop_assert!(stands == *needle || Some(stands.as_str()) == unfinished);
            }
        }
    }
}
