//! Faults on purpose, in the middle of a run, for tests of what a run does about them.
//!
//! In builds with debug assertions the environment variable `THRONG_FAULT` names one fault and when it comes, for example
//! `lost@transfer:40`, the 40th transfer of the process. When it comes, a line on standard error says so, for tests to find.
//! Other builds have no faults.
//!
//! | fault | what happens |
//! |---|---|
//! | `lost@transfer:N`, `lost@launch:N` | the device is lost then, and whatever is asked of it afterwards fails, too |
//! | `refused@allocation:N` | the driver refuses memory for one buffer |
//! | `failed@compilation:N` | a kernel cannot be compiled |
//! | `parted@meeting:N` | the cubes of one batch of steps did not all [meet](crate::meet()) |
//! | `slow@transfer:N` | this and all later transfers are late |

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What a device is asked for, as far as a fault can lie there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Transfer,
    Launch,
    /// Anything else. Only a device that is lost already fails there.
    Elsewhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    LostInTransfer,
    LostInLaunch,
    Refused,
    NotCompiled,
    Parted,
    Slow,
}

const NAMES: [(&str, Fault); 6] = [
    ("lost@transfer", Fault::LostInTransfer),
    ("lost@launch", Fault::LostInLaunch),
    ("refused@allocation", Fault::Refused),
    ("failed@compilation", Fault::NotCompiled),
    ("parted@meeting", Fault::Parted),
    ("slow@transfer", Fault::Slow),
];

/// How late a transfer is.
const DELAY: Duration = Duration::from_millis(20);

/// One fault, and when it comes.
struct Plan {
    fault: Fault,
    /// Counted from 1.
    at: u64,
    /// How often it could have come.
    chances: AtomicU64,
    lost: AtomicBool,
}

impl Plan {
    /// `None` for what names no fault.
    fn parse(text: &str) -> Option<Self> {
        let (name, at) = text.split_once(':')?;
        let (_, fault) = NAMES.into_iter().find(|(known, _)| *known == name)?;
        Some(Self { fault, at: at.parse().ok()?, chances: AtomicU64::new(0), lost: AtomicBool::new(false) })
    }

    /// Whether `fault` comes at this chance.
    fn comes(&self, fault: Fault) -> bool {
        if self.fault != fault {
            return false;
        }
        let chance = self.chances.fetch_add(1, Relaxed) + 1;
        if chance == self.at {
            announce(fault, chance);
        }
        chance == self.at || (fault == Fault::Slow && chance > self.at)
    }

    /// Whether the device is lost, now or since before.
    fn loses(&self, place: Place) -> bool {
        let comes = match place {
            Place::Transfer => self.comes(Fault::LostInTransfer),
            Place::Launch => self.comes(Fault::LostInLaunch),
            Place::Elsewhere => false,
        };
        if comes {
            self.lost.store(true, Relaxed);
        }
        self.lost.load(Relaxed)
    }
}

/// Only tests ask for faults, and they have no other way to learn that one came.
#[allow(clippy::print_stderr)]
fn announce(fault: Fault, chance: u64) {
    let name = NAMES.iter().find(|(_, named)| *named == fault).map_or("", |(name, _)| name);
    eprintln!("THRONG_FAULT: {name}:{chance}");
}

/// # Panics
/// When the variable names no fault: a test that misspells one would test nothing.
fn plan() -> Option<&'static Plan> {
    static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return None;
    }
    let parse = |text: String| Plan::parse(&text).unwrap_or_else(|| panic!("THRONG_FAULT={text} names no fault"));
    PLAN.get_or_init(|| std::env::var("THRONG_FAULT").ok().filter(|text| !text.is_empty()).map(parse)).as_ref()
}

/// Waits where transfers are to be late, and unwinds where the device is to be lost, as CubeCL does then.
pub(crate) fn pass(place: Place) {
    let Some(plan) = plan() else { return };
    if place == Place::Transfer && plan.comes(Fault::Slow) {
        std::thread::sleep(DELAY);
    }
    if plan.loses(place) {
        resume_unwind(Box::new("it was lost on purpose (THRONG_FAULT)".to_owned()));
    }
}

/// Whether the driver is to refuse memory now.
pub(crate) fn refused() -> bool {
    plan().is_some_and(|plan| plan.comes(Fault::Refused))
}

/// Whether a kernel is not to be compiled now.
pub(crate) fn not_compiled() -> bool {
    plan().is_some_and(|plan| plan.comes(Fault::NotCompiled))
}

/// Whether cubes that met are to be taken for cubes that did not. An executor asks this where it looks at
/// [what a meeting left](crate::meet()).
pub fn parted() -> bool {
    plan().is_some_and(|plan| plan.comes(Fault::Parted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_comes_when_it_is_due() {
        let plan = Plan::parse("refused@allocation:3").unwrap();
        let found = [(); 5].map(|()| plan.comes(Fault::Refused));
        assert_eq!(found, [false, false, true, false, false]);
        assert!(!plan.comes(Fault::Parted) && !plan.loses(Place::Launch));
        let plan = Plan::parse("slow@transfer:2").unwrap();
        assert_eq!([(); 4].map(|()| plan.comes(Fault::Slow)), [false, true, true, true]);
    }

    #[test]
    fn a_lost_device_stays_lost() {
        let plan = Plan::parse("lost@transfer:2").unwrap();
        let places = [Place::Transfer, Place::Launch, Place::Transfer, Place::Launch, Place::Elsewhere];
        assert_eq!(places.map(|place| plan.loses(place)), [false, false, true, true, true]);
    }

    #[test]
    fn what_names_no_fault_is_none() {
        for wrong in ["", "lost", "lost@transfer", "lost@transfer:x", "lost@meeting:1"] {
            assert!(Plan::parse(wrong).is_none(), "{wrong}");
        }
    }
}
