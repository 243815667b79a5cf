//! Plain dates, as two engines read them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::engine::Dates;
use super::value::Value;

/// A date and a time as written.
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// Hour, minute, second; none for a date alone.
    time: Option<[i64; 3]>,
    /// The digits of the fraction of a second.
    fraction: String,
    /// The offset of the zone in minutes; none without a zone.
    zone: Option<i64>,
}

/// The date of a plain scalar, if it is one; an error if the date is invalid.
pub(super) fn date(text: &str, dates: Dates) -> Option<Result<Value, String>> {
    if dates == Dates::Text || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let moment = moment(text)?;
    Some(
        match dates {
            Dates::Python => moment.python().ok_or_else(|| format!("there is no day `{text}`")),
            _ => Ok(moment.script()),
        }
        .map(Value::Date),
    )
}

fn moment(text: &str) -> Option<Moment> {
    let mut rest = Rest(text);
    let year = rest.number(4, 4)?;
    rest.word("-")?;
    let before = rest.0;
    let month = rest.number(1, 2)?;
    rest.word("-")?;
    let day = rest.number(1, 2)?;
    let mut moment = Moment {
        year,
        month,
        day,
        time: None,
        fraction: String::new(),
        zone: None,
    };
    if rest.0.is_empty() {
        // A date alone needs two digits everywhere.
        return (before.len() == "MM-DD".len()).then_some(moment);
    }
    if rest.word("T").or_else(|| rest.word("t")).is_none() {
        rest.blanks().then_some(())?;
    }
    let hour = rest.number(1, 2)?;
    rest.word(":")?;
    let minute = rest.number(2, 2)?;
    rest.word(":")?;
    moment.time = Some([hour, minute, rest.number(2, 2)?]);
    if rest.word(".").is_some() {
        let digits = rest.0.len() - rest.0.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        moment.fraction = rest.0[..digits].to_owned();
        rest.0 = &rest.0[digits..];
    }
    if !rest.0.is_empty() {
        rest.blanks();
        moment.zone = Some(rest.zone()?);
    }
    rest.0.is_empty().then_some(moment)
}

/// The unread text.
struct Rest<'text>(&'text str);

impl Rest<'_> {
    fn word(&mut self, word: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(word)?;
        Some(())
    }

    fn blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start_matches([' ', '\t']);
        self.0.len() < before
    }

    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let digits = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let number = (digits >= least).then(|| self.0[..digits].parse().ok())??;
        self.0 = &self.0[digits..];
        Some(number)
    }

    fn zone(&mut self) -> Option<i64> {
        if self.word("Z").is_some() {
            return Some(0);
        }
        let sign = if self.word("-").is_some() { -1 } else { 1 };
        if sign == 1 {
            self.word("+")?;
        }
        let hours = self.number(1, 2)?;
        let minutes = match self.word(":") {
            Some(()) => self.number(2, 2)?,
            None => 0,
        };
        Some(sign * (hours * 60 + minutes))
    }
}

impl Moment {
    /// As Python's `str` shows it; none if the day or time is invalid.
    fn python(&self) -> Option<String> {
        let there = (1..=12).contains(&self.month) && self.day >= 1 && self.year >= 1;
        let (year, month, day) = civil(days(self.year, self.month, self.day));
        if !there || (year, month, day) != (self.year, self.month, self.day) {
            return None;
        }
        let date = format!("{year:04}-{month:02}-{day:02}");
        let Some([hour, minute, second]) = self.time else {
            return Some(date);
        };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let mut shown = format!("{date} {hour:02}:{minute:02}:{second:02}");
        let micros = format!("{:0<6.6}", self.fraction);
        if micros != "000000" {
            shown.push('.');
            shown.push_str(&micros);
        }
        if let Some(zone) = self.zone {
            let sign = if zone < 0 { '-' } else { '+' };
            shown.push_str(&format!("{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60));
        }
        Some(shown)
    }

    /// As JavaScript's `toISOString` shows it: days and times out of range roll over.
    fn script(&self) -> String {
        let month = self.month - 1;
        let day = days(self.year + month.div_euclid(12), month.rem_euclid(12) + 1, 1) + self.day - 1;
        let [hour, minute, second] = self.time.unwrap_or_default();
        let seconds = (hour * 60 + minute - self.zone.unwrap_or_default()) * 60 + second;
        let (year, month, day) = civil(day + seconds.div_euclid(86_400));
        let seconds = seconds.rem_euclid(86_400);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:0<3.3}Z",
            self.fraction
        )
    }
}

/// The days from 1970 to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // The year starts in March, so that the leap day is its last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    era * 146_097 + year * 365 + year / 4 - year / 100 + of_year - 719_468
}

/// The day of the Gregorian calendar, from the days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
