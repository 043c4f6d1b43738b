//! Parts of a run, so that several machines can share it: a pure function of `k` and `n`.

use std::fmt;
use std::str::FromStr;

/// Where schedulers tell a task its number, counted from 0.
const NUMBERS: [&str; 2] = ["JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"];

/// Part `number` of `count`: the edits whose id leaves that rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// The one part that is all.
    pub(crate) const WHOLE: Self = Self {
        number: 0,
        count: 1,
    };

    /// Tells whether the edit with that id is in this part.
    pub(crate) fn has(self, id: usize) -> bool {
        id % self.count == self.number
    }

    /// Returns every part of as many.
    pub(crate) fn siblings(self) -> impl Iterator<Item = Self> {
        let count = self.count;
        (0..count).map(move |number| Self { number, count })
    }

    fn parse(text: &str, number_of: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let (number, count) = match text.split_once('/') {
            Some((number, count)) => (number.to_owned(), count),
            None => {
                let found = NUMBERS.iter().find_map(|name| number_of(name));
                let [one, other] = NUMBERS;
                let why = format!("`{text}` has no number, and neither {one} nor {other} is set");
                (found.ok_or(why)?, text)
            }
        };
        let read = |text: &str| {
            text.parse::<usize>()
                .map_err(|error| format!("`{text}`: {error}"))
        };
        let (number, count) = (read(&number)?, read(count)?);
        if number >= count {
            return Err(format!(
                "parts are counted from 0: there is no part {number} of {count}"
            ));
        }
        Ok(Self { number, count })
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, |name| std::env::var(name).ok())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, number: Option<&str>) -> Option<String> {
        let number_of = |name: &str| number.filter(|_| name == NUMBERS[0]).map(str::to_owned);
        Shard::parse(text, number_of)
            .ok()
            .map(|shard| shard.to_string())
    }

    #[test]
    fn a_part_is_named_or_taken_from_the_scheduler() {
        assert_eq!(parsed("1/4", None).as_deref(), Some("1/4"));
        assert_eq!(parsed("4", Some("3")).as_deref(), Some("3/4"));
        assert_eq!(parsed("1/4", Some("3")).as_deref(), Some("1/4"));
        for (text, number) in [
            ("4", None),
            ("4/4", None),
            ("0/0", None),
            ("x/2", None),
            ("2", Some("2")),
        ] {
            assert_eq!(parsed(text, number), None, "{text} {number:?}");
        }
    }

    #[test]
    fn every_edit_is_in_one_part() {
        let first: Shard = "0/7".parse().unwrap();
        for id in 0..100 {
            assert_eq!(first.siblings().filter(|shard| shard.has(id)).count(), 1);
        }
    }
}
