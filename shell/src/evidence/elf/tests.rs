use super::*;

/// Where the made-up program's sections are loaded.
const WORDS: u64 = 0x1000;
const TABLE: u64 = 0x2000;

/// Makes a program with these entries in its table, and these strings among its words.
fn program(entries: &[(&str, u32, u32)], strings: &[&str]) -> Vec<u8> {
    let mut words = Vec::new();
    let mut table = Vec::new();
    let mut relocations = Vec::new();
    for (nth, (name, has_arg, val)) in entries.iter().enumerate() {
        for number in [TABLE + 32 * nth as u64, 8, WORDS + words.len() as u64] {
            relocations.extend(number.to_le_bytes());
        }
        words.extend(name.as_bytes());
        words.push(0);
        table.extend([0; 8]);
        table.extend(has_arg.to_le_bytes());
        table.extend([0; 12]);
        table.extend(val.to_le_bytes());
        table.extend([0; 4]);
    }
    table.extend([0; 32]);
    for string in strings {
        words.extend(string.as_bytes());
        words.push(0);
    }
    let mut bytes = b"\x7fELF\x02\x01".to_vec();
    bytes.resize(64, 0);
    let mut sections = vec![[0u64; 8]];
    // type, flags, address
    for (kind, flags, address, content) in [
        (1u64, 2, WORDS, &words),
        (1, 3, TABLE, &table),
        (4, 2, 0x3000, &relocations),
    ] {
        let place = bytes.len() as u64;
        bytes.extend(content);
        sections.push([
            kind << 32,
            flags,
            address,
            place,
            content.len() as u64,
            0,
            0,
            0,
        ]);
    }
    let place = bytes.len() as u64;
    for section in &sections {
        section
            .iter()
            .for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    bytes[0x28..0x30].copy_from_slice(&place.to_le_bytes());
    bytes[0x3a..0x3c].copy_from_slice(&64u16.to_le_bytes());
    bytes[0x3c..0x3e].copy_from_slice(&4u16.to_le_bytes());
    bytes
}

#[test]
fn a_table_gives_flags_and_values() {
    let bytes = program(
        &[
            ("all", 0, 97),
            ("number", 1, 110),
            ("color", 2, 256),
            ("help", 0, 0xffff_ff7e),
        ],
        &[],
    );
    let tables = read(&bytes).unwrap();
    let found: Vec<(&str, Takes)> = tables
        .flags
        .long
        .iter()
        .map(|(name, takes)| (name.as_str(), *takes))
        .collect();
    assert_eq!(
        found,
        [
            ("all", Takes::Nothing),
            ("color", Takes::Optional),
            ("help", Takes::Nothing),
            ("number", Takes::Required)
        ]
    );
}

#[test]
fn what_only_looks_like_a_table_is_none() {
    for entries in [
        &[("all", 0u32, 97u32)][..],
        &[("all", 7, 97), ("number", 1, 110)],
        &[("a b", 0, 1), ("c d", 0, 2)],
        &[("All", 0, 1), ("Number", 1, 2)],
    ] {
        assert!(
            read(&program(entries, &[])).unwrap().flags.is_empty(),
            "{entries:?}"
        );
    }
}

#[test]
fn of_several_strings_the_one_with_the_known_letters_counts() {
    let bytes = program(
        &[
            ("all", 0, 97),
            ("number", 1, 110),
            ("verbose", 0, 118),
            ("long", 0, 300),
        ],
        &["no", "an:vxo::", "abcdefghijklmnopqrstuvwxyz", "usage"],
    );
    let letters = read(&bytes).unwrap().short(&Flags::default()).unwrap();
    let found: Vec<(char, Takes)> = letters.into_iter().collect();
    assert_eq!(
        found,
        [
            ('a', Takes::Nothing),
            ('n', Takes::Required),
            ('o', Takes::Optional),
            ('v', Takes::Nothing),
            ('x', Takes::Nothing)
        ]
    );
}

#[test]
fn damage_is_read_without_harm() {
    let whole = program(&[("all", 0, 97), ("number", 1, 110)], &["an:"]);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        drop(read(&damaged));
        drop(read(&whole[..at]));
    }
}
