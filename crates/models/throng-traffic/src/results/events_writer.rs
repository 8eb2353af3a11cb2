//! The event files: XML, and optionally Parquet.

use std::sync::Arc;

use throng_output::{
    Codec, OutputError, ParallelParquetFile, ParallelTextFile, PipelineSize, ROW_GROUP_ROWS, RunFolder, WrittenFile,
};

use super::block::{BLOCK_EVENTS, EventBlock};
use super::events_parquet::{self, EventColumns};
use super::events_xml::{self, XmlFormatter};
use super::fragments::EventAttributes;
use throng_traffic_scenario::Scenario;

/// Writes blocks of events to the files of a run, on separate threads.
#[derive(Debug)]
pub struct EventsWriter {
    xml: Option<ParallelTextFile<Arc<EventBlock>>>,
    parquet: Option<ParallelParquetFile<Vec<Arc<EventBlock>>>>,
    /// Blocks collected for the next row group.
    gathered: Vec<Arc<EventBlock>>,
}

impl EventsWriter {
    /// Creates `output_events.xml` (with the suffix of `codec`) if `xml`, and `output_events.parquet` if `parquet`.
    ///
    /// # Errors
    /// If a file cannot be created, or the system refuses a thread.
    pub fn create(
        scenario: &Arc<Scenario>,
        folder: &RunFolder,
        codec: Codec,
        workers: usize,
        (xml, parquet): (bool, bool),
    ) -> Result<Self, OutputError> {
        let size = PipelineSize::of_workers(workers);
        let mut writer = Self { xml: None, parquet: None, gathered: Vec::new() };
        if xml {
            let attributes = Arc::new(EventAttributes::new(scenario));
            let make = || XmlFormatter::new(Arc::clone(scenario), Arc::clone(&attributes));
            let frame = (events_xml::HEAD, events_xml::TAIL);
            let file = ParallelTextFile::create(folder, "output_events.xml", codec, size, frame, make)?;
            writer.xml = Some(file);
        }
        if parquet {
            // A row group has 16 times as many events as a block of text.
            let size = PipelineSize::of_workers(workers.min(8));
            let (schema, columns) = (events_parquet::schema(), EventColumns::new(Arc::clone(scenario)));
            let file = ParallelParquetFile::create(folder, "output_events.parquet", &schema, size, columns)?;
            writer.parquet = Some(file);
        }
        Ok(writer)
    }

    /// Sends the next block to all files.
    ///
    /// # Errors
    /// The first error of any file.
    pub fn send(&mut self, block: &Arc<EventBlock>) -> Result<(), OutputError> {
        if let Some(xml) = &mut self.xml {
            xml.send(Arc::clone(block))?;
        }
        if let Some(parquet) = &mut self.parquet {
            self.gathered.push(Arc::clone(block));
            if self.gathered.len() * BLOCK_EVENTS >= ROW_GROUP_ROWS {
                parquet.send(std::mem::take(&mut self.gathered))?;
            }
        }
        Ok(())
    }

    /// Waits until everything is written and gives the files their final names.
    ///
    /// # Errors
    /// The first error of any file.
    pub fn finish(self) -> Result<Vec<WrittenFile>, OutputError> {
        let mut files = Vec::new();
        if let Some(xml) = self.xml {
            files.push(xml.finish()?);
        }
        if let Some(mut parquet) = self.parquet {
            if !self.gathered.is_empty() {
                parquet.send(self.gathered)?;
            }
            files.push(parquet.finish()?);
        }
        Ok(files)
    }
}
