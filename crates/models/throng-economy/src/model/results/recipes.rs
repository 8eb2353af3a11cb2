//! The inventions of a run in chronological order.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::RECIPES;
use crate::devices::{KINDS, Kind};
use crate::society::Society;

/// The inventions of a run.
#[derive(Default)]
pub struct RecipeTable {
    rows: Vec<Invention>,
}

struct Invention {
    day: u64,
    kind: Kind,
    resource: usize,
    inventor: usize,
    components: Vec<usize>,
}

impl RecipeTable {
    pub fn see(&mut self, day: u64, society: &Society) {
        for &(kind, resource, inventor) in &society.today.inventions {
            let components = society.recipes.components(kind, resource).to_vec();
            self.rows.push(Invention { day, kind, resource, inventor, components });
        }
    }

    pub fn write(&self, folder: &RunFolder) -> Result<WrittenFile, Failure> {
        let mut table = TextFile::create(folder, RECIPES, Codec::None)?;
        push_header(table.text(), &["day", "device", "resource", "inventor", "components"]);
        for Invention { day, kind, resource, inventor, components } in &self.rows {
            let components: Vec<String> = components.iter().map(ToString::to_string).collect();
            let mut row = Row::new(table.text());
            row.integer(*day as i64).text(kind.name()).integer(*resource as i64).integer(*inventor as i64);
            row.text(&components.join(" ")).end();
        }
        Ok(table.finish()?)
    }

    /// Returns a summary: the number of inventions of each kind.
    pub fn line(&self) -> String {
        let mut counts = [0; KINDS];
        for row in &self.rows {
            counts[row.kind as usize] += 1;
        }
        let of = |kind: Kind| match counts[kind as usize] {
            0 => None,
            1 => Some(format!("1 {}", kind.name())),
            count => Some(format!("{count} {}", kind.plural())),
        };
        let counts: Vec<String> = Kind::BY_PRODUCTION.into_iter().filter_map(of).collect();
        if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
    }
}
