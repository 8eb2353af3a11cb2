//! The phases of openings, in order between two ticks.

/// The actions of openings, on an executor.
pub trait Phases {
    /// The error of an executor that fails.
    type Error;

    /// Lets pedestrians in exits leave.
    fn leave(&mut self) -> Result<(), Self::Error>;
    /// Computes the routes to all exits through the doors that are open from now on.
    fn find_routes(&mut self) -> Result<(), Self::Error>;
    /// Opens and closes doors.
    fn set_doors(&mut self) -> Result<(), Self::Error>;
    /// Lets due pedestrians enter, one per empty space unit of their entry.
    fn enter(&mut self) -> Result<(), Self::Error>;
    /// Lets pedestrians choose their exits: `all` in the world, or those drawn for this tick.
    fn choose(&mut self, all: bool) -> Result<(), Self::Error>;
    /// Turns all pedestrians towards their exits.
    fn turn(&mut self) -> Result<(), Self::Error>;
}

/// Prepares the first tick.
pub fn begin<P: Phases>(phases: &mut P) -> Result<(), P::Error> {
    phases.set_doors()?;
    phases.enter()?;
    phases.turn()
}

/// Applies the openings at the end of a tick. `changes`: whether doors open or close; `has_choice`: whether pedestrians
/// choose their exits.
pub fn end_tick<P: Phases>(phases: &mut P, changes: bool, has_choice: bool) -> Result<(), P::Error> {
    phases.leave()?;
    if changes {
        phases.find_routes()?;
    }
    phases.set_doors()?;
    phases.enter()?;
    if has_choice {
        phases.choose(changes)?;
    }
    phases.turn()
}
