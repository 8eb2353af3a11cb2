//! `throng view`.

use std::path::Path;
use std::sync::Arc;

use throng_core::{InputError, Progress, available_threads};
use throng_model::{
    Catalogue, Failure, Flag, StoredRun, Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest, find_model,
};
use throng_render::{RenderModel, SceneFile};

use crate::{Options, RunShow, SceneShow, Server, Show, open_browser};

/// `throng view SCENE|RUN`: a page on this computer, for scenes and for runs of the models of a catalogue.
#[derive(Clone, Copy)]
pub struct ViewTool {
    /// The catalogue.
    pub catalogue: fn() -> Catalogue,
}

const FLAGS: [Flag; 3] = [
    Flag::new("port", "N", "Port of the page on this computer; 0 takes a free one [default: 0]"),
    Flag::switch("no-open", "Print the address, and do not open a browser"),
    Flag::new("threads", "N", "Threads that draw [default: one for each core]"),
];

impl Tool for ViewTool {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "view",
            about_command: "Show a scene or a stored run in a live page of the browser",
            name: None,
            about: "Show a scene or a stored run in a live page of the browser",
            input: Some(ToolInput {
                name: "SCENE|RUN",
                help: "A scene file (model = \"render\"), or the output folder of `throng run`",
                is_optional: false,
            }),
            flags: &FLAGS,
            more: "The page is drawn on this computer and needs no network; only programs on this computer that know its address can \
see it. Drag to turn the camera, use the wheel to zoom, and press H in the page for all keys. Ctrl-C ends it.

Examples:
  throng view examples/spheres
      a scene: move the lamp and the camera
  throng view output/city
      a run: play the day, and choose what colours mean
  throng view output/evacuation --port 8000 --no-open
      the address is printed, for example to forward it through ssh",
        }
    }

    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        _progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let flags = &request.flags;
        let port = flags.number("port", 0..=u16::MAX)?.unwrap_or(0);
        let threads = flags.number("threads", 1..)?.unwrap_or_else(available_threads);
        throng_model::check_threads(threads)?;
        let input = request.input.clone().unwrap_or_default();
        let show = show(&input, &(self.catalogue)(), threads)?;
        let title = show.description().title;
        let server = Server::bind(show, Options { port, ..Options::default() })
            .map_err(|error| error.with_places(|place| place.replace("port", "--port")))?;
        terminal.print(&format!("{title}\n{}\nCtrl-C ends the page.\n", server.url()))?;
        let opens = !flags.has("no-open") && terminal.is_interactive();
        if let Some(error) = opens.then(|| open_browser(server.url())).and_then(Result::err) {
            terminal.print(&format!("{error}\n"))?;
        }
        server.run()?;
        Ok(ToolEnd::Done)
    }
}

/// What a scene file or a folder shows.
fn show(input: &Path, catalogue: &Catalogue, threads: usize) -> Result<Arc<dyn Show>, Failure> {
    if StoredRun::is_in(input) {
        let run = StoredRun::open(input)?;
        return Ok(Arc::new(RunShow::new(run, catalogue, threads)?));
    }
    if !input.exists() {
        let place = input.display().to_string();
        let hint = throng_core::hint_for_missing(input);
        return Err(InputError::one(place, "there is no such file or folder", hint).into());
    }
    let (model, file) = find_model(&catalogue.models, Some(input))?;
    let scene = throng_model::Check::name(&RenderModel);
    match file {
        Some(file) if throng_model::Check::name(model) == scene => {
            Ok(Arc::new(SceneShow::new(&SceneFile::read(&file, &[])?, threads)?))
        }
        _ => {
            let message = format!("is a scenario of {}, not a scene or a run", model.name());
            let remedy = format!("run it first: throng run {0}; then give its output folder", input.display());
            Err(InputError::one(input.display().to_string(), message, remedy).into())
        }
    }
}
