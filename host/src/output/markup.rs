//! Text in HTML and XML.

/// The text as content or in a quoted attribute. XML has no way to write most control characters.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other if other.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Allows no scripts and no requests, whatever a model wrote.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = "\
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --faint: light-dark(#59636e, #9198a1); \
--user: light-dark(#eef4ff, #15233b); --bad: light-dark(#b3261e, #ff938a); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
pre { font: .875rem/1.5 ui-monospace, monospace; margin: .5rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
";

/// The beginning of a page that needs nothing from elsewhere, with an escaped title and a style of its own.
pub(super) fn head(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// The end of a page.
pub(super) const END: &str = "</body>\n</html>\n";
