//! A run that pauses at times chosen by the caller.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use throng_core::panic_text;
use throng_device::{Device, Executor};
use throng_traffic_scenario::events::{Event, EventSink, SinkError};
use throng_traffic_scenario::{HashAt, Scenario};

use crate::pacing::{Goal, Pacing, Paused};
use crate::{RunError, RunOptions, RunOutcome, cpu, gpu};

/// Maximum number of queued messages from the executor, most of which contain the events of one step.
const MAX_MESSAGES: usize = 256;

/// A run of a scenario on threads or on a device that pauses between steps, at times chosen by the caller.
///
/// Events reach the sink on the thread that calls [`Running::step_to`] or any other function that continues the run, so
/// the sink needs neither locks nor `Send`. Events, state hashes and results are the same as from
/// [`cpu::simulate`](crate::cpu::simulate) and [`gpu::simulate`](crate::gpu::simulate), wherever the run pauses. On a
/// device only [`steps`](throng_traffic_scenario::RunStats::steps) depends on the pauses, because it also counts steps
/// in which nothing was due.
///
/// The executor runs on a separate thread and waits there during pauses. Its worker threads and network partitions
/// borrow from each other, so they cannot be stored in a value that the caller owns. On the CPU a pause costs two
/// thread switches; on a device it costs the time in which the device waits for new work, so pausing in every step is
/// much slower than pausing once per simulated minute. Dropping the value ends the run without results.
///
/// A panic of the sink propagates through the called function and ends the run. If the caller catches it, every later
/// call returns [`RunError::SinkPanicked`], because the sink may lack events.
///
/// ```
/// use std::sync::Arc;
/// use throng_device::CPU;
/// use throng_queue::{RunOptions, Running};
/// use throng_traffic_scenario::events::EventLog;
/// use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1000.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 3600.0, 1.0)
///     .link("bc", "b", "c", 500.0, 10.0, 3600.0, 1.0)
///     .build()?;
/// let scenario = ScenarioBuilder::new(network)
///     .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "bc"]).stay("work", "bc"))
///     .build()?;
/// let mut log = EventLog::default();
/// let mut run = Running::start(Arc::new(scenario), &CPU, RunOptions::default(), &mut log)?;
/// assert!(run.step_to(90)?);
/// assert_eq!((run.active_agents(), run.vehicles()?), (1, vec![0, 1]));
/// let outcome = run.finish()?;
/// // Enters traffic at 60, crosses the node at 61, and drives 50 s.
/// assert_eq!((outcome.end_time, outcome.stats.arrivals), (111.0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Running<S> {
    sink: S,
    on: Executor,
    /// `None` after the end.
    executor: Option<ExecutorThread>,
    sink_panicked: bool,
    /// The latest time up to which steps were requested, seconds of the day.
    reached: f64,
    next_time: f64,
    under_way: u64,
    outcome: Option<RunOutcome>,
}

impl<S: EventSink> Running<S> {
    /// Starts a run, and pauses before the first step. `sink` may be a value
    /// or a mutable reference.
    ///
    /// # Errors
    /// The errors of [`cpu::simulate`](crate::cpu::simulate) and [`gpu::simulate`](crate::gpu::simulate) before the
    /// first step, and [`RunError::NoThread`] if the system refuses a thread.
    pub fn start(
        scenario: Arc<Scenario>,
        on: &Executor,
        options: RunOptions<'static>,
        sink: S,
    ) -> Result<Self, RunError> {
        let device = on.shared_device().cloned();
        let executor = Some(ExecutorThread::start(scenario, device, options, sink.wants_events())?);
        let mut run = Self {
            sink,
            on: on.clone(),
            executor,
            sink_panicked: false,
            reached: f64::NEG_INFINITY,
            next_time: f64::INFINITY,
            under_way: 0,
            outcome: None,
        };
        run.receive()?;
        Ok(run)
    }

    /// Executes all steps up to `time`, seconds of the day, and delivers their events. Returns `false` if the run is
    /// over. A time in the past changes nothing.
    ///
    /// # Errors
    /// An agent cannot continue, or the sink, the device or a thread failed. The run has ended then: later calls return
    /// [`RunError::Ended`], or [`RunError::SinkPanicked`] after a panic of the sink.
    pub fn step_to(&mut self, time: impl Into<f64>) -> Result<bool, RunError> {
        let time = time.into();
        if self.outcome.is_none() && self.executor.is_none() {
            return Err(self.why_over());
        }
        self.reached = self.reached.max(time);
        if self.executor.is_some() && time >= self.next_time {
            self.proceed(Goal::Until(time))?;
        }
        Ok(self.executor.is_some())
    }

    /// Executes the next step, at [`Running::next_time`]. Returns `false` if the run is over.
    ///
    /// # Errors
    /// As for [`Running::step_to`].
    pub fn step(&mut self) -> Result<bool, RunError> {
        self.step_to(self.next_time())
    }

    /// Executes all remaining steps.
    ///
    /// # Errors
    /// As for [`Running::step_to`].
    pub fn finish(mut self) -> Result<RunOutcome, RunError> {
        self.step_to(f64::INFINITY)?;
        self.into_outcome()
    }

    /// Ends the run at the time reached: agents under way are aborted, as at the end time of a scenario. The result is
    /// that of a run limited to the steps so far ([`RunOptions::max_steps`]). A run that has not executed any step
    /// executes the first one.
    ///
    /// # Errors
    /// As for [`Running::finish`].
    pub fn stop(mut self) -> Result<RunOutcome, RunError> {
        if self.executor.is_some() {
            self.proceed(Goal::StopAt(self.reached))?;
        }
        self.into_outcome()
    }

    /// Returns the time of the next step that will be executed, seconds of the day; infinite after the end. Nothing
    /// happens before this time. It depends on the executor, because an executor may execute a step in which nothing is
    /// due.
    pub fn next_time(&self) -> f64 {
        if self.executor.is_some() { self.next_time } else { f64::INFINITY }
    }

    /// Returns the number of agents that travel, or are at an activity with an end time or a duration; 0 after the end.
    pub fn active_agents(&self) -> u64 {
        if self.executor.is_some() { self.under_way } else { 0 }
    }

    /// Returns the current number of vehicles on each link, by link index of the scenario: waiting to enter traffic,
    /// driving, or waiting to cross the node. On a device this copies the state.
    ///
    /// # Errors
    /// [`RunError::Ended`] after the end, or the device failed.
    pub fn vehicles(&mut self) -> Result<Vec<u32>, RunError> {
        match self.send_request(Request::Vehicles)? {
            Reply::Vehicles(vehicles) => Ok(vehicles),
            _ => Err(RunError::Ended),
        }
    }

    /// Returns the hash of the current state, which is the same on all executors. On a device this copies the state.
    ///
    /// # Errors
    /// [`RunError::Ended`] after the end, or the device failed.
    pub fn hash(&mut self) -> Result<u64, RunError> {
        match self.send_request(Request::Hash)? {
            Reply::Hash(hash) => Ok(hash),
            _ => Err(RunError::Ended),
        }
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.on
    }

    /// Returns the sink, with the events so far.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// Continues to the next pause or to the end.
    fn proceed(&mut self, goal: Goal) -> Result<(), RunError> {
        self.send_request(Request::Proceed(goal)).map(drop)
    }

    /// Sends a request and processes messages until the reply arrives.
    fn send_request(&mut self, request: Request) -> Result<Reply, RunError> {
        let executor = self.executor.as_ref().ok_or_else(|| self.why_over())?;
        // A send fails if the thread has ended; `receive` then returns the reason.
        let _ = executor.requests.send(request);
        self.receive()
    }

    /// Delivers events and hashes until the reply to a request arrives.
    fn receive(&mut self) -> Result<Reply, RunError> {
        let mut executor = self.executor.take().ok_or_else(|| self.why_over())?;
        // If the sink panics, the run stays in this state, without an executor.
        self.sink_panicked = true;
        let received = executor.deliver_to(&mut self.sink);
        self.sink_panicked = false;
        let reply = match received? {
            Reply::Over(outcome) => {
                self.outcome = Some((*outcome)?);
                return Ok(Reply::Ended);
            }
            reply => reply,
        };
        if let Reply::Paused { next_time, under_way } = reply {
            (self.next_time, self.under_way) = (next_time, under_way);
        }
        self.executor = Some(executor);
        Ok(reply)
    }

    fn into_outcome(self) -> Result<RunOutcome, RunError> {
        let why_over = self.why_over();
        self.outcome.ok_or(why_over)
    }

    /// The reason why there is no executor.
    fn why_over(&self) -> RunError {
        if self.sink_panicked { RunError::SinkPanicked } else { RunError::Ended }
    }
}

/// A request to the executor.
#[derive(Debug, Clone, Copy)]
enum Request {
    Proceed(Goal),
    Hash,
    Vehicles,
}

/// A message from the executor.
#[derive(Debug)]
enum Reply {
    Events(f64, Vec<Event>),
    Hashes(Vec<HashAt>),
    Paused {
        next_time: f64,
        under_way: u64,
    },
    Hash(u64),
    Vehicles(Vec<u32>),
    Over(Box<Result<RunOutcome, RunError>>),
    /// Returned instead of [`Reply::Over`] after the outcome has been taken.
    Ended,
}

/// The thread in which the executor runs.
#[derive(Debug)]
struct ExecutorThread {
    requests: Sender<Request>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
}

impl ExecutorThread {
    fn start(
        scenario: Arc<Scenario>,
        device: Option<Arc<Device>>,
        options: RunOptions<'static>,
        wants_events: bool,
    ) -> Result<Self, RunError> {
        let (requests, requested) = channel();
        let (to_owner, replies) = sync_channel(MAX_MESSAGES);
        let work = move || {
            let mut forward = Forward { to_owner: to_owner.clone(), wants_events };
            let mut set_goal = |paused: &mut dyn Paused| goal(paused, &requested, &to_owner);
            let mut pacing = Pacing::new(&mut set_goal);
            let outcome = match device {
                None => cpu::run(&scenario, &mut forward, &options, &mut pacing),
                Some(device) => gpu::run(&scenario, &mut forward, &options, &mut pacing, &device),
            };
            // Sending fails if the owner has dropped the run.
            let _ = to_owner.send(Reply::Over(Box::new(outcome)));
        };
        let thread = Some(throng_core::spawn("simulating", work)?);
        Ok(Self { requests, replies, thread })
    }

    /// Delivers events and hashes to the sink until a different message arrives, and returns that message.
    fn deliver_to(&mut self, sink: &mut dyn EventSink) -> Result<Reply, RunError> {
        loop {
            let Ok(reply) = self.replies.recv() else { return Err(self.failure()) };
            match reply {
                Reply::Events(time, events) => sink.step(time, &events)?,
                Reply::Hashes(hashes) => sink.hashes(&hashes)?,
                reply => return Ok(reply),
            }
        }
    }

    /// Joins the thread and returns the reason why it sends no more messages.
    fn failure(&mut self) -> RunError {
        let panicked = self.thread.take().and_then(|thread| thread.join().err());
        let why = panicked.map_or_else(|| "it has ended".to_owned(), |panic| panic_text(panic.as_ref()));
        RunError::Internal(why)
    }
}

impl Drop for ExecutorThread {
    fn drop(&mut self) {
        // Closing these channels stops the executor at its next message. After the join the device is free.
        self.requests = channel().0;
        self.replies = channel().1;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers requests until one continues the run.
fn goal(
    paused: &mut dyn Paused,
    requested: &Receiver<Request>,
    to_owner: &SyncSender<Reply>,
) -> Result<Goal, RunError> {
    let send = |reply| to_owner.send(reply).map_err(|_| RunError::Ended);
    send(Reply::Paused { next_time: paused.next_time(), under_way: paused.under_way() })?;
    loop {
        match requested.recv().map_err(|_| RunError::Ended)? {
            Request::Proceed(goal) => return Ok(goal),
            Request::Hash => send(Reply::Hash(paused.hash()?))?,
            Request::Vehicles => send(Reply::Vehicles(paused.vehicles()?))?,
        }
    }
}

/// Forwards all events and hashes to the owner's thread.
struct Forward {
    to_owner: SyncSender<Reply>,
    wants_events: bool,
}

impl Forward {
    fn send(&self, reply: Reply) -> Result<(), SinkError> {
        self.to_owner.send(reply).map_err(|_| SinkError("the run was dropped".to_owned()))
    }
}

impl EventSink for Forward {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        self.send(Reply::Events(time, events.to_vec()))
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        self.send(Reply::Hashes(hashes.to_vec()))
    }

    fn wants_events(&self) -> bool {
        self.wants_events
    }
}
