//! The phases of openings, in the order in which they act between two ticks.

/// What openings do, on an executor.
pub trait Phases {
    /// Why an executor cannot go on.
    type Error;

    /// Pedestrians in exits leave.
    fn leave(&mut self) -> Result<(), Self::Error>;
    /// Finds the routes to all exits by the doors that are open from now on.
    fn find_routes(&mut self) -> Result<(), Self::Error>;
    /// Doors open and close.
    fn set_doors(&mut self) -> Result<(), Self::Error>;
    /// Pedestrians that are due enter, one for each empty space unit of their entry.
    fn enter(&mut self) -> Result<(), Self::Error>;
    /// Pedestrians choose their exits: `all` that are in the world, or those that are drawn for this tick.
    fn choose(&mut self, all: bool) -> Result<(), Self::Error>;
    /// Turns all pedestrians towards their exits.
    fn turn(&mut self) -> Result<(), Self::Error>;
}

/// Before the first tick.
pub fn begin<P: Phases>(phases: &mut P) -> Result<(), P::Error> {
    phases.set_doors()?;
    phases.enter()?;
    phases.turn()
}

/// The end of a tick. `changes`: whether doors open or close then; `has_choice`: whether pedestrians choose their exits.
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
