//! The shared memory of a cube.

/// A unit that accessed shared memory, and the barriers before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub unit: u32,
    /// Number of barriers that the cube has passed.
    pub barriers: u32,
}

impl Access {
    /// Whether the other access is of another unit, with no barrier in between.
    fn races(self, other: Self) -> bool {
        other.barriers == self.barriers && other.unit != self.unit
    }
}

/// A scalar in shared memory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    /// `None`: undefined.
    value: Option<u64>,
    written: Option<Access>,
    /// The last two units that read it.
    read: [Option<Access>; 2],
}

impl Cell {
    /// Reads the value. Atomic accesses do not race.
    ///
    /// # Errors
    /// If no unit has written a defined value, or another unit has written since the last barrier.
    pub fn read(&mut self, by: Access, is_atomic: bool) -> Result<u64, String> {
        if let Some(written) = self.written.filter(|written| !is_atomic && by.races(*written)) {
            return Err(format!("it reads what unit {} has written since the last barrier", written.unit));
        }
        if self.read[0].is_none_or(|last| last.unit != by.unit) {
            self.read[1] = self.read[0];
        }
        self.read[0] = Some(by);
        self.value.ok_or_else(|| "it reads shared memory that no unit has written".to_owned())
    }

    /// Writes a value. Atomic accesses do not race, nor do writes of the same value.
    ///
    /// # Errors
    /// If another unit has read or written it since the last barrier.
    pub fn write(&mut self, value: Option<u64>, by: Access, is_atomic: bool) -> Result<(), String> {
        if !is_atomic && value != self.value {
            let readers = self.read.into_iter().flatten().map(|read| ("read", read));
            let accesses = readers.chain(self.written.map(|written| ("written", written)));
            if let Some((what, other)) = accesses.into_iter().find(|(_, other)| by.races(*other)) {
                return Err(format!("writes what unit {} has {what} since the last barrier", other.unit));
            }
        }
        self.value = value;
        self.written = Some(by);
        Ok(())
    }
}
