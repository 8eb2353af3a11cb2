//! Persons of a plans file, parsed in chunks on several threads and returned in the order of the file.
//!
//! A chunk ends with the text `</person>` or with the file. The text ends a person unless it stands in a comment, in an
//! element that is skipped, or in a faulty file. A chunk is *regular* if its persons are complete and only the root
//! element (at the end of the file, none) is open at its end, as in a reader on one thread. From the first that is not
//! regular, the text is parsed on one thread, so persons, problems and warnings are always those of one thread.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use throng_core::{InputError, Problems, Warnings, panic_text, spawn};
use throng_output::{OutputError, Pipeline, PipelineSize};

use super::open::unreadable;
use super::person::PersonRecord;
use super::person_chunks::{Chunk, Chunks, Cut};
use super::person_stream::{PersonStream, PlansFile};
use super::xml::Prolog;

/// A person with the problems and warnings of its text.
#[derive(Debug, Default)]
struct Parsed {
    person: PersonRecord,
    problems: Problems,
    warnings: Warnings,
}

/// A chunk after parsing.
#[derive(Debug)]
struct ParsedChunk {
    chunk: Chunk,
    /// The persons, and at the end of the file an entry without a person. Further entries are spare.
    entries: Vec<Parsed>,
    /// Number of persons.
    persons: usize,
    is_regular: bool,
}

/// Records of earlier chunks, which keep their memory.
type Spare = Arc<Mutex<Vec<Vec<Parsed>>>>;

/// The persons of a file.
#[derive(Debug)]
pub(super) struct ParallelPersons {
    prolog: Prolog,
    spare: Spare,
    /// `None` once one thread reads the rest, or after a failure.
    chunks: Option<Receiver<ParsedChunk>>,
    current: Option<ParsedChunk>,
    /// Index of the next entry of `current`.
    next: usize,
    rest: Option<PersonStream<RestOfFile>>,
    thread: Option<JoinHandle<Result<(), OutputError>>>,
}

impl ParallelPersons {
    /// Starts `workers` threads that parse `first` and the following chunks.
    pub(super) fn start(
        file: &PlansFile,
        (first, chunks): (Chunk, Chunks),
        prolog: Prolog,
        workers: usize,
    ) -> Result<Self, InputError> {
        let (sender, parsed) = sync_channel(1);
        let spare = Spare::default();
        // Set by the first chunk that is not regular: those after it are not parsed here.
        let is_over = Arc::new(AtomicBool::new(false));
        let make_worker = || {
            let (file, spare, is_over) = (file.clone(), Arc::clone(&spare), Arc::clone(&is_over));
            move |chunk: Chunk| {
                if is_over.load(Ordering::Relaxed) {
                    return Ok(ParsedChunk { chunk, entries: Vec::new(), persons: 0, is_regular: false });
                }
                let entries = spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
                Ok(parse(&file, chunk, entries))
            }
        };
        let has_irregular = Arc::clone(&is_over);
        let pass_on = move |sender: &mut SyncSender<ParsedChunk>, chunk: ParsedChunk| {
            // Chunks arrive here in the order of the file, so all before this one have been parsed.
            has_irregular.fetch_or(!chunk.is_regular, Ordering::Relaxed);
            sender.send(chunk).map_err(|_| OutputError::Panicked("nobody reads the persons".into()))
        };
        let pipeline = Pipeline::start("parse", PipelineSize::of_workers(workers), sender, make_worker, pass_on);
        let mut pipeline = pipeline.map_err(|error| match error {
            OutputError::NoThread(error) => error.into(),
            error => InputError::resource(&*file.name, error, "free resources"),
        })?;
        let thread = spawn("cut", move || {
            // If sending fails, the reader has been dropped, or a thread has panicked, which the reader detects because
            // the last chunk is missing.
            let all_sent = std::iter::once(first).chain(chunks).try_for_each(|chunk| pipeline.send(chunk));
            all_sent.and_then(|()| pipeline.finish().map(drop))
        })?;
        let (chunks, thread) = (Some(parsed), Some(thread));
        Ok(Self { prolog, spare, chunks, current: None, next: 0, rest: None, thread })
    }

    /// Reads the next person into `person`. Returns false at the end of the file.
    pub(super) fn read(
        &mut self,
        file: &PlansFile,
        person: &mut PersonRecord,
        problems: &mut Problems,
        warnings: &mut Warnings,
    ) -> Result<bool, InputError> {
        loop {
            if let Some(rest) = &mut self.rest {
                return rest.read(file, person, problems, warnings);
            }
            if let Some(current) = &mut self.current {
                let (at, is_last) = (self.next, matches!(current.chunk.cut, Cut::EndOfFile));
                if at < current.persons || is_last {
                    self.next += 1;
                    if let Some(entry) = current.entries.get_mut(at) {
                        std::mem::swap(person, &mut entry.person);
                        problems.append(std::mem::take(&mut entry.problems));
                        warnings.append(std::mem::take(&mut entry.warnings));
                    }
                    return Ok(at < current.persons);
                }
                let used = std::mem::take(&mut current.entries);
                self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(used);
            }
            self.next_chunk(file)?;
        }
    }

    fn next_chunk(&mut self, file: &PlansFile) -> Result<(), InputError> {
        let Some(chunk) = self.chunks.as_ref().and_then(|chunks| chunks.recv().ok()) else {
            return Err(self.failure(file));
        };
        if chunk.is_regular {
            (self.current, self.next) = (Some(chunk), 0);
            return Ok(());
        }
        self.current = None;
        let line = chunk.chunk.line;
        let rest = RestOfFile { chunk: chunk.chunk, position: 0, chunks: self.chunks.take() };
        self.rest = Some(PersonStream::new(file, rest, line, std::mem::take(&mut self.prolog))?);
        Ok(())
    }

    /// Returns the reason why the next chunk is missing.
    fn failure(&mut self, file: &PlansFile) -> InputError {
        self.chunks = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => InputError::resource(&*file.name, error, "report it with the file"),
            Some(Err(panic)) => InputError::resource(&*file.name, panic_text(&*panic), "report it with the file"),
            Some(Ok(Ok(()))) | None => unreadable(&file.name, &io::Error::other("the reading stopped unexpectedly")),
        }
    }
}

impl Drop for ParallelPersons {
    fn drop(&mut self) {
        // Without receivers, the threads end.
        (self.chunks, self.rest) = (None, None);
        if let Some(thread) = self.thread.take() {
            // A panic of that thread has been reported as a missing chunk.
            let _ = thread.join();
        }
    }
}

fn parse(file: &PlansFile, chunk: Chunk, mut entries: Vec<Parsed>) -> ParsedChunk {
    let mut persons = 0;
    let is_regular = parse_persons(file, &chunk, &mut entries, &mut persons).unwrap_or(false);
    ParsedChunk { chunk, entries, persons, is_regular }
}

/// Parses all persons of a chunk. Returns whether it is regular.
fn parse_persons(
    file: &PlansFile,
    chunk: &Chunk,
    entries: &mut Vec<Parsed>,
    persons: &mut usize,
) -> Result<bool, InputError> {
    let ends_with_person = match chunk.cut {
        Cut::AfterPerson => true,
        Cut::EndOfFile => false,
        Cut::TooLong | Cut::Failed(_) => return Ok(false),
    };
    let mut stream = PersonStream::new(file, chunk.text.as_slice(), chunk.line, Prolog::default())?;
    loop {
        if *persons == entries.len() {
            entries.push(Parsed::default());
        }
        let Parsed { person, problems, warnings } = &mut entries[*persons];
        person.clear();
        if !stream.read(file, person, problems, warnings)? {
            return Ok(!ends_with_person);
        }
        *persons += 1;
        if ends_with_person && stream.is_at_end() {
            return Ok(true);
        }
    }
}

/// The text from a chunk to the end of the file.
#[derive(Debug)]
struct RestOfFile {
    chunk: Chunk,
    position: usize,
    chunks: Option<Receiver<ParsedChunk>>,
}

impl BufRead for RestOfFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.position >= self.chunk.text.len() {
            match std::mem::replace(&mut self.chunk.cut, Cut::EndOfFile) {
                Cut::EndOfFile => return Ok(&[]),
                Cut::Failed(error) => return Err(error),
                Cut::AfterPerson | Cut::TooLong => {}
            }
            let next = self.chunks.as_ref().and_then(|chunks| chunks.recv().ok());
            let next = next.ok_or_else(|| io::Error::other("the reading stopped unexpectedly"))?;
            (self.chunk, self.position) = (next.chunk, 0);
        }
        Ok(&self.chunk.text[self.position..])
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount;
    }
}

impl Read for RestOfFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}
