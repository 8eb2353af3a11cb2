//! The list of all trades of resources.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::TRADES;
use crate::society::Society;

/// The list while it is written.
pub struct TradeList {
    table: TextFile,
}

impl TradeList {
    pub fn create(folder: &RunFolder) -> Result<Self, Failure> {
        let mut table = TextFile::create(folder, TRADES, Codec::None)?;
        push_header(
            table.text(),
            &["day", "agent", "other", "resource_given", "units_given", "resource_received", "units_received"],
        );
        Ok(Self { table })
    }

    pub fn write(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        for trade in &society.today.trades {
            let ([agent, other], [given, received]) = (trade.agents, trade.lot.resources);
            let mut row = Row::new(self.table.text());
            row.integer(day as i64).integer(agent as i64).integer(other as i64);
            row.integer(given as i64).integer(trade.lot.given.into());
            row.integer(received as i64).integer(trade.lot.received.into()).end();
        }
        Ok(self.table.flush_full()?)
    }

    pub fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.table.finish()?)
    }
}
