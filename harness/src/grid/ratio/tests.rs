use super::{Bag, best, matching, score};

/// Two texts, and how many characters Python's difflib matches between them.
const DIFFLIB: &[(&str, &str, usize)] = &[
    (
        "(else)foo_barelse\n    elseif y",
        "(elsef oo_barele\n    elseif y",
        28,
    ),
    (
        " = Noneyvalue   = selfelse = None(return\n    ",
        "foo_barfoo_bar",
        5,
    ),
    ("    ", "   ", 3),
    ("foo_bar = return", ")=if ", 2),
    ("\n        self", " )xvalue()\n   (xelse)returnx", 6),
    ("", ")None  \n    selfx", 0),
    (
        "return   = valuefoo_bar = \n    x)y)",
        "fobo_barxvxa=u  ",
        10,
    ),
    (
        "elseyvalue(if )(returnfoo_barvalueif returnelseelse",
        "elsyvalue(if )(returnfoo_abarvalueif reurnelseelse",
        49,
    ),
    ("else  )", "if N onreturnselfif selfoo_bar", 4),
    (
        "foo_barNonevaluereturnNone)returnself\n    None(returnx  ",
        "xxlseels)xy((",
        5,
    ),
    (
        ")returnvaluex(yfoo_bary\n    y)valuefoo_bar",
        "else  if=selffoo_bar",
        10,
    ),
    (
        "else()if return  \n    selfxyfoo_bar",
        "else()if re=turn  \n   selfxxyfoo_bar",
        34,
    ),
    (
        "elsex))yreturnyreturn = \n    )\n    x",
        "elsex))yreturnyreturn = \n    )\n    x",
        36,
    ),
    (
        "if elseNonereturn  foo_bar  yif None(",
        "\n    if (el seself = return  x  if return",
        22,
    ),
    (
        "selfx = returnselfreturnvalue)returnx = ",
        "x)Nonef   aaluye",
        8,
    ),
    ("  (value(yy)  ", "  (valyue(yyy)  ", 14),
    ("return  ", "eztur  ", 6),
    ("  yreturn)if   NoneNoneNone", "(xelseNonon\n    retuxrn", 8),
    ("xself", "yxbself", 5),
    (
        "xfoo_barself = x(\n    returnelse((x  x",
        " elsev alueselffoo_barreturn(xyelse) (",
        18,
    ),
    (
        " = selfNonefoo_barfoo_barNone    ",
        "if x\n    \n    NonexNoneif \n  =  else",
        14,
    ),
    (
        "value(\n    selfelsefoo_barNone  (if foo_barx",
        "aet=urnzxx",
        5,
    ),
    ("self)elseNonevalueNoneelsexselfvalue", "  if \n    ", 1),
    (
        "return(elsexreturnreturn  returnNonefoo_barreturn",
        "returnelsexreturnreturn  returnNonefoo_barreturn",
        48,
    ),
    ("Noneelsevalue(self    valueelseNone", "selfNone", 4),
    ("if   xx)", "selfretu=arnelse(rxzeturn", 2),
    (
        "(yreturnfoo_bar = \n    )xelseNonereturnreturn",
        ")value  if selfvlue    valuy  ",
        8,
    ),
    ("", "se lf\n    returnNoneif foo_bar", 0),
    ("\n     = returnelse  None)", ") esz a)", 3),
    ("self", "sel", 3),
    (
        "xif foo_bar)selfNonex(  None)xxvalue",
        "xif foox_bar)selfN onex( None)xbvalue",
        34,
    ),
    (
        "self)foo_bar))selfelseselfif xx\n    returnvalue",
        "(xif  = els",
        4,
    ),
    ("", "value  Noneelse)if (reurx)", 0),
    ("returnif  = ", " Nonee lse(selfxselfxfoo_bazrif ", 4),
    (" = ", "vluexselfif   if sel", 2),
    ("", "rzztureley", 0),
    ("selfxy)xNone  foo_barNone", "eszsey", 3),
    ("valuex = elsevaluefoo_barNone  ", "selfxelse = ", 8),
    (" = foo_bar()valuevalueNonefoo_bar)Nonefoo_bar", "", 0),
    (
        "elseif foo_barselfelseselfelseNone(valuefoo_barfoo_barNone",
        "vale(retaurnretun(",
        6,
    ),
    ("", ")None\nx      self = yNonereturn) = )", 0),
    ("  returnif elsereturnxfoo_barNone", "z", 0),
    (
        "returnxselffoo_barif return",
        " selfvalereyturn\n   \n   None",
        7,
    ),
    (
        " = (yy)foo_barfoo_barfoo_bar = ))foo_bar = ",
        "\n   \n    self  xNone)returnreturn\n    ",
        10,
    ),
    ("return", "=euynz", 3),
    (
        "  return\n    Noneself)if self  ",
        "  rzeturn\n    Noneself)if self  ",
        31,
    ),
    ("  selfif foo_bary", "  elfif foo_bxary", 16),
    (
        "self(else = valueselffoo_barvalueif ()elsefoo_bar\n    ",
        "  y= xyvalubaevba lxue = )",
        7,
    ),
    (") = value = ((foo_bar(foo_bar  value", "val uebif", 6),
    ("xy   = (None", "xy  b= (Nbne", 10),
    (
        " = )  valueif foo_bar",
        "valuesealfxreun\n    yvaue) = =\n    x",
        8,
    ),
    (
        "foo_barvalue  foo_barxelse)\n    foo_bar",
        "y  if \n        value)value\n    value = ",
        9,
    ),
    (
        "if elsefoo_barvalue = Noney",
        "if elsefoo_barvalue = Noney",
        27,
    ),
    ("  ", "yifsaelf", 0),
    ("foo_bar", "fooxbar", 6),
    (
        "xif elsefoo_barfoo_barvalue  value(None)\n    valuey",
        "xif elsefoo_baroo_barvalue  value(None)\n    valuey",
        50,
    ),
    ("if elsevaluereturn", "if elsevaluereturn", 18),
    (
        "xNonereturny\n    None\n     = ",
        "xNnereturny\n    None\n    = ",
        27,
    ),
    (")foo_bar", "b)foo_b=ar", 8),
    ("foo_barxself", "foo_barxself", 12),
];

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

#[test]
fn matches_are_difflib_s() {
    for (a, b, expected) in DIFFLIB {
        assert_eq!(matching(&chars(a), &chars(b)), *expected, "{a:?} {b:?}");
    }
}

/// The definition, without a bound.
fn naive(lines: &[&str], anchor: &[String], floor: f64) -> Option<usize> {
    let b = chars(&anchor.join("\n"));
    let mut found: Option<(f64, usize)> = None;
    for (at, window) in lines.windows(anchor.len()).enumerate() {
        let a = chars(&window.join("\n"));
        let ratio = score(matching(&a, &b), &a, &b);
        if ratio >= floor && found.is_none_or(|(known, _)| ratio > known) {
            found = Some((ratio, at));
        }
    }
    found.map(|(_, at)| at)
}

proptest::proptest! {
    #[test]
    fn the_bound_hides_no_window(
        lines in proptest::collection::vec("[ab ]{0,6}", 2..20),
        anchor in proptest::collection::vec("[ab ]{0,6}", 1..3),
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for floor in [0.0, 0.6, 0.9] {
            proptest::prop_assert_eq!(best(&lines, &anchor, floor), naive(&lines, &anchor, floor));
        }
    }

    #[test]
    fn no_more_can_match_than_both_have(a in "[a-d]{0,12}", b in "[a-d]{0,12}") {
        let (a, b) = (chars(&a), chars(&b));
        proptest::prop_assert!(matching(&a, &b) <= Bag::of(&b).shared(&a));
    }
}
