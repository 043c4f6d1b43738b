//! Turning a patch round: from what it makes back to what was there.

use super::{
    Base, Change, Count, Destination, Edit, Existing, Expect, Hunk, Line, LineHunk, ModeChange,
    Patch, RangeHunk, TextHunk,
};
use crate::lines::{self, LineRange};
use crate::outcome::{Reason, Unsupported};

/// Returns the patch that undoes `patch`.
///
/// # Errors
///
/// `unsupported` where an edit does not carry what was there.
pub fn reverse(patch: &Patch) -> Result<Patch, Reason> {
    // Backwards, since a file deleted and made anew under its name must come apart in that order.
    let edits = patch
        .edits
        .iter()
        .rev()
        .map(reverse_edit)
        .collect::<Result<_, _>>()?;
    Ok(Patch { edits })
}

fn cannot<T>() -> Result<T, Reason> {
    Err(Reason::Unsupported(Unsupported::Reverse))
}

fn reverse_edit(edit: &Edit) -> Result<Edit, Reason> {
    let (mut path, destination) = match &edit.destination {
        Destination::Same => (edit.path.clone(), Destination::Same),
        Destination::Rename(to) => (to.clone(), Destination::Rename(edit.path.clone())),
        Destination::Copy(_) => return cannot(),
    };
    let base = match &edit.base {
        None => None,
        Some(Base::Blob(id)) => Some(id.clone()),
        Some(Base::Receipt { .. }) => return cannot(),
    };
    let mode = match edit.mode {
        None => None,
        Some(change) => Some(reverse_mode(change, &edit.change)?),
    };
    let change = reverse_change(&edit.change)?;
    // Which spelling the deleted file had was told by its being there, and now nothing tells.
    path.even |= path.or.is_some() && matches!(change, Change::Create { .. });
    Ok(Edit {
        path,
        destination,
        change,
        mode,
        base: edit.post.clone().map(Base::Blob),
        post: base,
        undoes: !edit.undoes,
        span: edit.span,
    })
}

fn reverse_mode(mode: ModeChange, change: &Change) -> Result<ModeChange, Reason> {
    match (mode.old, change) {
        (None, Change::Create { .. }) => Ok(ModeChange {
            old: Some(mode.new),
            new: mode.new,
        }),
        (_, Change::Delete { .. }) => Ok(ModeChange {
            old: None,
            new: mode.new,
        }),
        (Some(old), _) => Ok(ModeChange {
            old: Some(mode.new),
            new: old,
        }),
        (None, _) => cannot(),
    }
}

fn reverse_change(change: &Change) -> Result<Change, Reason> {
    Ok(match change {
        Change::Keep => Change::Keep,
        Change::Modify { hunks, order } => {
            let hunks = reverse_hunks(hunks)?;
            Change::Modify {
                hunks,
                order: *order,
            }
        }
        Change::Create { content, .. } => Change::Delete {
            shown: Some(content.clone()),
        },
        Change::Delete {
            shown: Some(content),
        } => Change::Create {
            content: content.clone(),
            existing: Existing::Exists,
        },
        Change::Binary {
            forward,
            reverse: Some(reverse),
        } => Change::Binary {
            forward: reverse.clone(),
            reverse: Some(forward.clone()),
        },
        Change::Write { .. }
        | Change::Delete { shown: None }
        | Change::Binary { reverse: None, .. } => return cannot(),
    })
}

fn reverse_hunks(hunks: &[Hunk]) -> Result<Vec<Hunk>, Reason> {
    let ranges = hunks
        .iter()
        .filter(|hunk| matches!(hunk, Hunk::Range(_)))
        .count();
    hunks
        .iter()
        .map(|hunk| match hunk {
            Hunk::Lines(hunk) => Ok(Hunk::Lines(reverse_lines(hunk))),
            Hunk::Text(hunk) => reverse_text(hunk).map(Hunk::Text),
            // The numbers of several ranges count in the file before, and shift each other.
            Hunk::Range(hunk) if ranges == 1 => reverse_range(hunk).map(Hunk::Range),
            Hunk::Range(_) => cannot(),
        })
        .collect()
}

fn reverse_lines(hunk: &LineHunk) -> LineHunk {
    let turn = |line: &Line| match line {
        Line::Context(text) => Line::Context(text.clone()),
        Line::Delete(text) => Line::Insert(text.clone()),
        Line::Insert(text) => Line::Delete(text.clone()),
    };
    LineHunk {
        old_start: hunk.new_start,
        new_start: hunk.old_start,
        lines: hunk.lines.iter().map(turn).collect(),
        ..hunk.clone()
    }
}

fn reverse_text(hunk: &TextHunk) -> Result<TextHunk, Reason> {
    // Whether a replaced text stood elsewhere before cannot be told once all are equal.
    if hunk.new.is_empty() || hunk.count != Count::One {
        return cannot();
    }
    let (old, new) = (hunk.new.clone(), hunk.old.clone());
    Ok(TextHunk {
        old,
        new,
        ..hunk.clone()
    })
}

fn reverse_range(hunk: &RangeHunk) -> Result<RangeHunk, Reason> {
    let Some(Expect::Text(expect)) = &hunk.expect else {
        return cannot();
    };
    if hunk.new.is_empty() || hunk.lines.is_empty() {
        return cannot();
    }
    let len = lines::split(&hunk.new).count();
    let start = hunk.lines.start.0;
    let Some(end) = start.checked_add(len) else {
        return cannot();
    };
    let mut new = expect.clone();
    match hunk.lines.len().checked_sub(lines::split(expect).count()) {
        Some(0) => {}
        // Joined by line breaks, lines of which the last is blank look like one fewer.
        Some(1) if expect.is_empty() || expect.ends_with(b"\n") => new.push(b'\n'),
        _ => return cannot(),
    }
    let expect = Some(Expect::Text(hunk.new.clone()));
    Ok(RangeHunk {
        lines: LineRange::new(start, end),
        new,
        expect,
        span: hunk.span,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::IdPrefix;
    use crate::patch::{Mode, Order, Span};
    use crate::path::PathSpec;

    fn edit(change: Change) -> Edit {
        Edit::new(PathSpec::from_root("f"), change, Span::default())
    }

    fn twice(edit: Edit) {
        let patch = Patch { edits: vec![edit] };
        assert_eq!(reverse(&reverse(&patch).unwrap()).unwrap(), patch);
    }

    #[test]
    fn turned_round_twice_a_patch_is_itself() {
        let lines = vec![
            Line::Context("a\n".into()),
            Line::Delete("b\n".into()),
            Line::Insert("c\n".into()),
        ];
        let hunk = Hunk::Lines(LineHunk {
            lines,
            ..LineHunk::default()
        });
        let mut modify = edit(Change::Modify {
            hunks: vec![hunk],
            order: Order::File,
        });
        modify.base = IdPrefix::new(b"1234567").map(Base::Blob);
        modify.post = IdPrefix::new(b"89abcde");
        modify.mode = Some(ModeChange {
            old: Some(Mode::Regular),
            new: Mode::Executable,
        });
        modify.destination = Destination::Rename(PathSpec::from_root("g"));
        twice(modify);
        let mut create = edit(Change::Create {
            content: "x\n".into(),
            existing: Existing::Exists,
        });
        create.mode = Some(ModeChange {
            old: None,
            new: Mode::Executable,
        });
        twice(create);
        twice(edit(Change::Delete {
            shown: Some("x\n".into()),
        }));
    }

    #[test]
    fn a_deleted_file_comes_back_under_a_name_that_nothing_doubts() {
        let back = |or: Option<&str>| {
            let change = Change::Delete {
                shown: Some("x\n".into()),
            };
            let mut delete = edit(change);
            delete.path.or = or.map(Into::into);
            let patch = Patch {
                edits: vec![delete],
            };
            reverse(&patch).unwrap().edits[0].path.even
        };
        assert!(back(Some("w/f")));
        assert!(!back(None));
    }

    #[test]
    fn what_does_not_carry_the_old_text_cannot_be_turned_round() {
        for change in [
            Change::Delete { shown: None },
            Change::Write {
                content: "x\n".into(),
            },
            Change::Modify {
                hunks: vec![Hunk::Text(TextHunk {
                    old: "a".into(),
                    new: "".into(),
                    count: Count::One,
                    span: Span::default(),
                })],
                order: Order::Any,
            },
        ] {
            let patch = Patch {
                edits: vec![edit(change)],
            };
            assert_eq!(reverse(&patch).unwrap_err().code(), "unsupported");
        }
    }
}
