//! Statements of a paper, each with a verdict and the measurement that decides it.

use std::fmt::Write as _;

use throng_device::{Device, DeviceClass};

use super::table::{Table, cells};

/// Whether a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Confirmed,
    NotConfirmed,
    /// The necessary data are unknown, unavailable, or vary too much between runs.
    Undecided,
}

impl Verdict {
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::NotConfirmed }
    }

    /// The verdict on a statement that holds if all of its parts hold; undecided without parts.
    pub(crate) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().collect();
        if parts.contains(&Self::NotConfirmed) {
            Self::NotConfirmed
        } else if parts.is_empty() || parts.contains(&Self::Undecided) {
            Self::Undecided
        } else {
            Self::Confirmed
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::Undecided => "cannot be known",
        }
    }

    /// The verdict with its evidence.
    pub(crate) fn with_evidence(self, found: impl Into<String>) -> Judgement {
        Judgement { verdict: self, evidence: found.into() }
    }
}

/// A verdict and the measurement that decides it, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub verdict: Verdict,
    pub evidence: String,
}

/// The device on which statements about GPUs are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeasuredOn {
    Gpu,
    /// A software device on the processor, which decides nothing about GPUs.
    Software,
    /// No device.
    Cpu,
}

impl MeasuredOn {
    pub(crate) fn of(device: Option<&Device>) -> Self {
        match device.map(|device| device.info().class) {
            None => Self::Cpu,
            Some(DeviceClass::Software) => Self::Software,
            Some(_) => Self::Gpu,
        }
    }
}

/// A sentence of a paper, and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Statement {
    text: String,
    /// Section, table or figure of the paper.
    source: &'static str,
    /// Empty if the programs that decide did not run.
    findings: Vec<Judgement>,
}

/// The statements of a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statements {
    on: MeasuredOn,
    all: Vec<Statement>,
}

impl Statements {
    /// An empty list, for measurements on this device.
    pub(crate) fn on(on: MeasuredOn) -> Self {
        Self { on, all: Vec::new() }
    }

    /// Appends a statement, the place in the paper that has it, and the findings; none if its programs did not run.
    pub(crate) fn push(
        &mut self,
        source: &'static str,
        text: impl Into<String>,
        findings: impl IntoIterator<Item = Judgement>,
    ) {
        self.all.push(Statement { text: text.into(), source, findings: findings.into_iter().collect() });
    }

    /// Appends a statement about GPUs, which software devices do not decide.
    pub(crate) fn push_of_gpu(
        &mut self,
        source: &'static str,
        text: impl Into<String>,
        findings: impl IntoIterator<Item = Judgement>,
    ) {
        let software = self.on == MeasuredOn::Software;
        self.push(
            source,
            text,
            findings.into_iter().map(|found| {
                if !software {
                    return found;
                }
                Verdict::Undecided
                    .with_evidence(format!("a software device is not a GPU; measured: {}", found.evidence))
            }),
        );
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.all.extend(other.all);
    }

    /// The statements with findings as a list, and the number of statements per verdict.
    pub(crate) fn text(&self) -> String {
        if self.all.is_empty() {
            return String::new();
        }
        if self.all.iter().all(|statement| statement.findings.is_empty()) {
            return self.summary();
        }
        let mut text = "Statements of the paper:\n\n".to_owned();
        for Statement { text: statement, source, findings } in &self.all {
            if !findings.is_empty() {
                let _ = writeln!(text, "* {statement}{}", in_brackets(source));
            }
            for Judgement { verdict, evidence } in findings {
                let _ = writeln!(text, "  {}: {evidence}", verdict.text());
            }
        }
        text + "\n" + &self.summary()
    }

    /// The number of statements per verdict, in one line.
    fn summary(&self) -> String {
        let count =
            |verdict: Option<Verdict>| self.all.iter().filter(|statement| statement.verdict() == verdict).count();
        let mut text = format!("{} statements:", self.all.len());
        for verdict in [Verdict::Confirmed, Verdict::NotConfirmed, Verdict::Undecided] {
            let _ = write!(text, " {} {},", count(Some(verdict)), verdict.text());
        }
        let _ = write!(text, " {} not measured", count(None));
        if count(None) > 0 {
            text += match self.on {
                MeasuredOn::Cpu => ", because they need a GPU, or programs or cases that were left out",
                MeasuredOn::Gpu | MeasuredOn::Software => ", because their programs or cases were left out",
            };
            text += "; statements.md has all";
        }
        text + "\n"
    }

    /// A table with a row for each finding, and for each statement that was not measured.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::of(4, "statement, source, verdict, measured here");
        for Statement { text, source, findings } in &self.all {
            for Judgement { verdict, evidence } in findings {
                table.row(cells![text.as_str(), *source, verdict.text(), evidence.as_str()]);
            }
            if findings.is_empty() {
                table.row(cells![text.as_str(), *source, "not measured", ""]);
            }
        }
        table
    }
}

impl Statement {
    /// The verdict over all findings, or `None` if there are none.
    fn verdict(&self) -> Option<Verdict> {
        (!self.findings.is_empty()).then(|| Verdict::all(self.findings.iter().map(|finding| finding.verdict)))
    }
}

fn in_brackets(source: &str) -> String {
    if source.is_empty() { String::new() } else { format!(" ({source})") }
}

/// The first finding of the statement with this beginning, as in the list.
#[cfg(test)]
pub(crate) fn found(statements: &Statements, beginning: &str) -> Option<String> {
    let statement = statements.all.iter().find(|statement| statement.text.starts_with(beginning))?;
    let Judgement { verdict, evidence } = statement.findings.first()?;
    Some(format!("{}: {evidence}", verdict.text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(on: MeasuredOn) -> Statements {
        let mut all = Statements::on(on);
        all.push("section 3", "It is fast.", [Verdict::Confirmed.with_evidence("2.00 times")]);
        all.push_of_gpu("", "It is faster.", [Verdict::NotConfirmed.with_evidence("0.500 times")]);
        all.push_of_gpu("figure 4", "It scales.", None);
        all
    }

    #[test]
    fn a_statement_has_its_source_and_its_deciding_measurement() {
        let expected = "\
Statements of the paper:

* It is fast. (section 3)
  confirmed: 2.00 times
* It is faster.
  not confirmed: 0.500 times

3 statements: 1 confirmed, 1 not confirmed, 0 cannot be known, 1 not measured, because their programs or cases were \
left out; statements.md has all
";
        assert_eq!(statements(MeasuredOn::Gpu).text(), expected);
        let expected = "\
| statement | source | verdict | measured here |
|---|---|---|---|
| It is fast. | section 3 | confirmed | 2.00 times |
| It is faster. |  | not confirmed | 0.500 times |
| It scales. | figure 4 | not measured |  |

";
        assert_eq!(statements(MeasuredOn::Gpu).table().markdown(), expected);
    }

    #[test]
    fn software_devices_decide_nothing_about_gpus() {
        let text = statements(MeasuredOn::Software).text();
        assert!(text.contains("cannot be known: a software device is not a GPU; measured: 0.500 times\n"), "{text}");
        assert!(text.contains("3 statements: 1 confirmed, 0 not confirmed, 1 cannot be known, 1 not"), "{text}");
    }

    #[test]
    fn all_parts_of_a_statement_have_to_hold() {
        use Verdict::{Confirmed, NotConfirmed, Undecided};
        assert_eq!(Verdict::all([Confirmed, Confirmed]), Confirmed);
        assert_eq!(Verdict::all([Confirmed, Undecided]), Undecided);
        assert_eq!(Verdict::all([Undecided, NotConfirmed]), NotConfirmed);
        assert_eq!(Verdict::all([]), Undecided);
    }
}
