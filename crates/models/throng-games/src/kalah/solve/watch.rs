//! Progress reports and table saves during a search.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use throng_core::Progress;

use super::proof::Shared;
use super::table_file::{self, Earlier};
use crate::kalah::Game;

/// Reports progress, and saves the table at regular intervals.
pub struct Watch<'w> {
    progress: &'w dyn Progress,
    game: Game,
    file: Option<&'w Path>,
    write_every: Duration,
    written: Instant,
    began: Instant,
    /// The effort of earlier sessions.
    earlier: Earlier,
    part: String,
    /// Whether the opponent is to move after the current move, so that margins change sign.
    is_of_other: bool,
    margins: (i32, i32),
    values: Vec<String>,
}

impl<'w> Watch<'w> {
    /// Starts the clock.
    pub fn new(
        progress: &'w dyn Progress,
        game: Game,
        file: Option<&'w Path>,
        every: Duration,
        earlier: Earlier,
    ) -> Self {
        let now = Instant::now();
        let Earlier { nodes, time } = earlier;
        if nodes > 0 {
            progress.note(&format!("resuming after {nodes} nodes, {:.1} s", time.as_secs_f64()));
        }
        progress.begin("solving", None, "nodes");
        Self {
            progress,
            game,
            file,
            write_every: every,
            written: now,
            began: now,
            earlier,
            part: String::new(),
            is_of_other: false,
            margins: (0, 0),
            values: Vec::new(),
        }
    }

    /// Announces the board or one of its moves. `is_of_other` is true if the opponent is to move after it.
    pub fn begin(&mut self, part: String, is_of_other: bool) {
        (self.part, self.is_of_other) = (part, is_of_other);
    }

    /// Sets the range of the margin, `least` to `most`, for the player to move after the current move.
    pub fn margins(&mut self, least: i32, most: i32) {
        self.margins = if self.is_of_other { (-most, -least) } else { (least, most) };
    }

    /// Reports the margin of the board or the current move.
    pub fn found(&mut self, margin: i32, shared: &Shared<'_>) {
        self.values.push(format!("{} {margin:+}", self.part));
        let Earlier { nodes, time } = self.total(shared);
        self.progress.note(&format!("{}: {margin:+} after {nodes} nodes, {:.1} s", self.part, time.as_secs_f64()));
    }

    /// Returns the nodes and the time of all sessions.
    pub fn total(&self, shared: &Shared<'_>) -> Earlier {
        // A damaged file may contain any numbers.
        let nodes = self.earlier.nodes.saturating_add(shared.nodes.load(Ordering::Relaxed));
        Earlier { nodes, time: self.earlier.time.saturating_add(self.began.elapsed()) }
    }

    /// Reports progress and saves the table if the interval has passed.
    pub fn tick(&mut self, shared: &Shared<'_>) {
        let nodes = shared.nodes.load(Ordering::Relaxed);
        let (least, most) = self.margins;
        let mut note = format!("{}: {least:+} to {most:+}", self.part);
        if !self.values.is_empty() {
            let _ = write!(note, "; {}", self.values.join(", "));
        }
        self.progress.at(nodes, &note);
        if self.written.elapsed() >= self.write_every {
            self.write(shared);
        }
    }

    /// Saves the table if it has a file. A failure is only a warning and does not end the search, since the previous
    /// file still exists.
    pub fn write(&mut self, shared: &Shared<'_>) {
        if let Some(file) = self.file
            && let Err(error) = table_file::write(file, self.game, shared.table, self.total(shared))
        {
            self.progress.warn(&format!("the table is not saved: {error}"));
        }
        self.written = Instant::now();
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.progress.end();
    }
}
