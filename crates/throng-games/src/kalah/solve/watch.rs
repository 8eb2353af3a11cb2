//! What goes on while a board is being solved: progress, and the file of the table.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use throng_core::Progress;

use super::proof::Shared;
use super::table_file::{self, Earlier};
use crate::kalah::Game;

/// Reports progress, and writes the file every so often.
pub struct Watch<'w> {
    progress: &'w dyn Progress,
    game: Game,
    file: Option<&'w Path>,
    write_every: Duration,
    written: Instant,
    began: Instant,
    /// What earlier sessions did.
    earlier: Earlier,
    part: String,
    /// Whether margins are those of the other player than the one to move on the board.
    is_of_other: bool,
    margins: (i32, i32),
    values: Vec<String>,
}

impl<'w> Watch<'w> {
    /// Watches from now on.
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
            progress.note(&format!("going on after {nodes} nodes, {:.1} s", time.as_secs_f64()));
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

    /// The board or a move comes next; after a move the other player may be to move.
    pub fn begin(&mut self, part: String, is_of_other: bool) {
        (self.part, self.is_of_other) = (part, is_of_other);
    }

    /// The margin is from `least` to `most` for the player to move after the move.
    pub fn margins(&mut self, least: i32, most: i32) {
        self.margins = if self.is_of_other { (-most, -least) } else { (least, most) };
    }

    /// The margin of the board or the move is known.
    pub fn found(&mut self, margin: i32, shared: &Shared<'_>) {
        self.values.push(format!("{} {margin:+}", self.part));
        let Earlier { nodes, time } = self.total(shared);
        self.progress.note(&format!("{}: {margin:+} after {nodes} nodes, {:.1} s", self.part, time.as_secs_f64()));
    }

    /// Nodes and time of this session and earlier ones.
    pub fn total(&self, shared: &Shared<'_>) -> Earlier {
        let nodes = self.earlier.nodes + shared.nodes.load(Ordering::Relaxed);
        Earlier { nodes, time: self.earlier.time + self.began.elapsed() }
    }

    /// Reports how far the search has come, and writes the file if it is time to.
    pub fn look(&mut self, shared: &Shared<'_>) {
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

    /// Writes the file, if there is one. A failure is a warning and does not end the search: the file before it is still there.
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
