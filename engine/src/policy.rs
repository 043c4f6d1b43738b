//! What a caller lets a match get away with.

use std::fmt;

/// What placed a hunk, strongest first. The first tier that finds a place decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The file is still what the author saw, and the edit states positions in it.
    Base,
    /// Carried from what the author saw to the file by the lines both share.
    Mapped,
    /// The anchor's lines occur once, byte for byte but for line endings.
    Exact,
    /// The qualified name fits one definition.
    Symbol,
    /// The anchor occurs once when white space is set aside in a stated way.
    Whitespace,
    /// The most similar place, by a stated lead over the next.
    Fuzzy,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::Mapped => "mapped",
            Self::Exact => "exact",
            Self::Symbol => "symbol",
            Self::Whitespace => "whitespace",
            Self::Fuzzy => "fuzzy",
        })
    }
}

/// What a placement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// The file's present text alone.
    Text,
    /// An older state of the file (the last result, the index, HEAD) agrees.
    Witness,
    /// A receipt of what the author read.
    Receipt,
    /// The base that the edit names.
    Base,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Witness => "witness",
            Self::Receipt => "receipt",
            Self::Base => "base",
        })
    }
}

/// Likeness in thousandths: 0 is nothing shared, 1000 is equal. An integer orders totally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u16);

impl Score {
    /// Equal, byte for byte.
    pub const EQUAL: Self = Self(1000);
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

/// The dials. No `Default`: a caller names a preset, and so says how much it trusts its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The preset that this began as, for the report.
    pub name: &'static str,
    /// The loosest tier that may place a hunk.
    pub loosest: Tier,
    /// The fewest informative lines that an anchor needs where nothing but the text speaks for it.
    pub min_anchor: usize,
    /// The least likeness that the fuzzy tier accepts.
    pub floor: Score,
    /// The least lead over the runner-up that the fuzzy tier accepts.
    pub margin: Score,
    /// Refuse what would otherwise be a warning.
    pub warnings_refuse: bool,
    /// Refuse an edit that names no base (`--3way`).
    pub needs_base: bool,
}

impl Policy {
    /// Proof or exact text only; what is doubtful is refused.
    pub const STRICT: Self = Self {
        name: "strict",
        loosest: Tier::Symbol,
        min_anchor: 1,
        floor: Score(1000),
        margin: Score(1000),
        warnings_refuse: true,
        needs_base: false,
    };
    /// surefoot's rules with the paper's dials.
    pub const ROBUST: Self = Self {
        name: "robust",
        loosest: Tier::Fuzzy,
        min_anchor: 2,
        floor: Score(900),
        margin: Score(200),
        warnings_refuse: false,
        needs_base: false,
    };
    /// What was measured to apply most with no silent failure: the command line's default.
    pub const BALANCED: Self = Self {
        name: "balanced",
        loosest: Tier::Whitespace,
        min_anchor: 1,
        floor: Score(900),
        margin: Score(200),
        warnings_refuse: false,
        needs_base: false,
    };
    /// The presets.
    pub const ALL: [Self; 3] = [Self::STRICT, Self::ROBUST, Self::BALANCED];
}
