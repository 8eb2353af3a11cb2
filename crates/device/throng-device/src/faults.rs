//! Fault injection during a run, for tests of error handling.
//!
//! In builds with debug assertions the environment variable `THRONG_FAULT` names one fault and its occurrence, for
//! example `lost@transfer:40` for the 40th transfer of the process. When the fault occurs, a line on standard error
//! reports it, so that tests can find it. Other builds have no faults.
//!
//! | fault | effect |
//! |---|---|
//! | `lost@transfer:N`, `lost@launch:N` | the device is lost, and all later operations also fail |
//! | `refused@allocation:N` | the driver refuses memory for one buffer |
//! | `failed@compilation:N` | the compilation of a kernel fails |
//! | `timeout@barrier:N` | a [grid barrier](crate::grid_barrier()) times out in one batch of steps |
//! | `slow@transfer:N` | this and all later transfers are delayed |

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Device operations in which a fault can occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Transfer,
    Launch,
    /// Any other operation. It fails only if the device is already lost.
    Elsewhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    LostInTransfer,
    LostInLaunch,
    Refused,
    NotCompiled,
    BarrierTimedOut,
    Slow,
}

const NAMES: [(&str, Fault); 6] = [
    ("lost@transfer", Fault::LostInTransfer),
    ("lost@launch", Fault::LostInLaunch),
    ("refused@allocation", Fault::Refused),
    ("failed@compilation", Fault::NotCompiled),
    ("timeout@barrier", Fault::BarrierTimedOut),
    ("slow@transfer", Fault::Slow),
];

/// The delay of a slow transfer.
const DELAY: Duration = Duration::from_millis(20);

/// A fault and its occurrence.
struct Plan {
    fault: Fault,
    /// Occurrence at which the fault is triggered, counted from 1.
    at: u64,
    /// Number of opportunities so far.
    opportunities: AtomicU64,
    lost: AtomicBool,
}

impl Plan {
    /// Parses `fault:N`; `None` if the text names no fault.
    fn parse(text: &str) -> Option<Self> {
        let (name, at) = text.split_once(':')?;
        let (_, fault) = NAMES.into_iter().find(|(known, _)| *known == name)?;
        Some(Self { fault, at: at.parse().ok()?, opportunities: AtomicU64::new(0), lost: AtomicBool::new(false) })
    }

    /// Whether `fault` occurs now; counts the calls.
    fn occurs(&self, fault: Fault) -> bool {
        if self.fault != fault {
            return false;
        }
        let occurrence = self.opportunities.fetch_add(1, Relaxed) + 1;
        if occurrence == self.at {
            announce(fault, occurrence);
        }
        occurrence == self.at || (fault == Fault::Slow && occurrence > self.at)
    }

    /// Whether the device is lost, now or earlier.
    fn device_is_lost(&self, place: Place) -> bool {
        let occurs = match place {
            Place::Transfer => self.occurs(Fault::LostInTransfer),
            Place::Launch => self.occurs(Fault::LostInLaunch),
            Place::Elsewhere => false,
        };
        if occurs {
            self.lost.store(true, Relaxed);
        }
        self.lost.load(Relaxed)
    }
}

/// Reports on standard error that a fault has occurred, for the tests.
#[allow(clippy::print_stderr)]
fn announce(fault: Fault, occurrence: u64) {
    let name = NAMES.iter().find(|(_, named)| *named == fault).map_or("", |(name, _)| name);
    eprintln!("THRONG_FAULT: {name}:{occurrence}");
}

/// Returns the fault that `THRONG_FAULT` names; `None` if it is unset or empty, or without debug assertions.
/// Panics if the variable names no fault: a test with a misspelt fault would test nothing.
fn plan() -> Option<&'static Plan> {
    static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return None;
    }
    let parse = |text: String| Plan::parse(&text).unwrap_or_else(|| panic!("THRONG_FAULT={text} names no fault"));
    PLAN.get_or_init(|| std::env::var("THRONG_FAULT").ok().filter(|text| !text.is_empty()).map(parse)).as_ref()
}

/// Delays a slow transfer, and unwinds if the device is to be lost, as CubeCL does.
pub(crate) fn inject_fault(place: Place) {
    let Some(plan) = plan() else { return };
    if place == Place::Transfer && plan.occurs(Fault::Slow) {
        std::thread::sleep(DELAY);
    }
    if plan.device_is_lost(place) {
        resume_unwind(Box::new("it was lost on purpose (THRONG_FAULT)".to_owned()));
    }
}

/// Whether the driver should refuse memory now.
pub(crate) fn refused() -> bool {
    plan().is_some_and(|plan| plan.occurs(Fault::Refused))
}

/// Whether the compilation of a kernel should fail now.
pub(crate) fn not_compiled() -> bool {
    plan().is_some_and(|plan| plan.occurs(Fault::NotCompiled))
}

/// Whether a successful [grid barrier](crate::grid_barrier()) should be treated as timed out. Executors call this when
/// they read the counters of the barrier.
pub fn barrier_timed_out() -> bool {
    plan().is_some_and(|plan| plan.occurs(Fault::BarrierTimedOut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_occurs_when_it_is_due() {
        let plan = Plan::parse("refused@allocation:3").unwrap();
        let found = [(); 5].map(|()| plan.occurs(Fault::Refused));
        assert_eq!(found, [false, false, true, false, false]);
        assert!(!plan.occurs(Fault::BarrierTimedOut) && !plan.device_is_lost(Place::Launch));
        let plan = Plan::parse("slow@transfer:2").unwrap();
        assert_eq!([(); 4].map(|()| plan.occurs(Fault::Slow)), [false, true, true, true]);
    }

    #[test]
    fn a_lost_device_stays_lost() {
        let plan = Plan::parse("lost@transfer:2").unwrap();
        let places = [Place::Transfer, Place::Launch, Place::Transfer, Place::Launch, Place::Elsewhere];
        assert_eq!(places.map(|place| plan.device_is_lost(place)), [false, false, true, true, true]);
    }

    #[test]
    fn unknown_faults_are_not_parsed() {
        for wrong in ["", "lost", "lost@transfer", "lost@transfer:x", "lost@barrier:1"] {
            assert!(Plan::parse(wrong).is_none(), "{wrong}");
        }
    }
}
