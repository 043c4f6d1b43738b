//! One page with all tables and pictures, which needs nothing beside itself.

use super::summary::Summary;
use crate::Trouble;

const TEMPLATE: &str = include_str!("page.html");

/// Returns the page that shows `summary`.
pub(super) fn of(summary: &Summary<'_>) -> Result<String, Trouble> {
    // Within a script element nothing else could end it.
    let data = serde_json::to_string(summary)?.replace("</", "<\\/");
    Ok(TEMPLATE.replace("/*DATA*/", &data))
}
