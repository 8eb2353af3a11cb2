//! The command `throng view`.

use std::path::Path;
use std::sync::Arc;

use throng_core::{InputError, Progress, available_threads};
use throng_model::flags::Flag;
use throng_model::names::one_line;
use throng_model::nearby::{check_run, check_scenario, run_it_first};
use throng_model::replay::StoredRun;
use throng_model::scenario_file::find_model;
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest};
use throng_model::{Catalogue, Failure};
use throng_render::{RenderModel, SceneFile};

use crate::{RunShow, SceneShow, Server, ServerOptions, Show, open_browser};

/// The command `throng view SCENE|RUN`: a live page on this computer, for scenes and for runs of models.
#[derive(Clone, Copy)]
pub struct ViewTool {
    /// Returns the catalogue of models.
    pub catalogue: fn() -> Catalogue,
}

/// The command's name in messages.
const COMMAND: &str = "throng view";

const FLAGS: [Flag; 4] = [
    Flag::new("colour", "NAME", "Initial colouring [default: the model's first one]"),
    Flag::new("port", "N", "Port of the page on this computer; 0 takes a free one [default: 0]"),
    Flag::switch("no-open", "Print the address, and do not open a browser"),
    Flag::new("threads", "N", "Drawing threads [default: one per core]"),
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
      after `throng run examples/city`: play the day, and choose a colouring
  throng view output/city --colour volume
      the same run, coloured by volume at first
  throng view output/city --port 8000 --no-open
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
        throng_model::threads::check_threads(threads)?;
        let input = request.input.clone().unwrap_or_default();
        let show = show(&input, &(self.catalogue)(), flags.get("colour"), threads)?;
        let title = one_line(&show.description().title);
        let server = Server::bind(show, ServerOptions { port, ..ServerOptions::default() })
            .map_err(|error| error.with_places(|place| place.replace("port", "--port")))?;
        terminal.print(&format!("{title}\n{}\nCtrl-C ends the page.\n", server.url()))?;
        let opens = !flags.has("no-open") && terminal.is_interactive();
        let opened = opens.then(|| open_browser(server.url()));
        if let Some(Err(error)) = &opened {
            terminal.print(&format!("{error}\n"))?;
        }
        server.run()?;
        drop(opened);
        Ok(ToolEnd::Done)
    }
}

/// Opens a scene file or the folder of a run.
fn show(
    input: &Path,
    catalogue: &Catalogue,
    colouring: Option<&str>,
    threads: usize,
) -> Result<Arc<dyn Show>, Failure> {
    let scene = throng_model::Check::name(&RenderModel);
    if StoredRun::is_in(input) {
        let run = StoredRun::open(input)?;
        if run.model() == scene {
            let picture = input.join("picture.png");
            let remedy = format!("view its scene file, or open {}", picture.display());
            return Err(InputError::one(input.display().to_string(), "is the run of a scene", remedy).into());
        }
        let named = |place: &str| if place == "colouring" { "--colour".to_owned() } else { place.to_owned() };
        let show = RunShow::new(run, catalogue, colouring, threads).map_err(|failure| match failure {
            Failure::Input(error) => Failure::Input(error.with_places(named)),
            other => other,
        })?;
        return Ok(Arc::new(show));
    }
    let models = &catalogue.models;
    if check_scenario(models, COMMAND, input).is_err() {
        check_run(models, COMMAND, input)?;
    }
    let (model, file) = find_model(models, Some(input))?;
    match file {
        Some(_) if throng_model::Check::name(model) == scene && colouring.is_some() => {
            Err(InputError::one("--colour", "is for runs, and this is a scene", "leave it out").into())
        }
        Some(file) if throng_model::Check::name(model) == scene => {
            Ok(Arc::new(SceneShow::new(&SceneFile::read(&file, &[])?, threads)?))
        }
        _ => {
            let message = format!("is a scenario of {}, not a scene or a run", model.name());
            let remedy = run_it_first(models, COMMAND, input);
            Err(InputError::one(input.display().to_string(), message, remedy).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_of_a_scene_has_a_picture_already() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("manifest.json"), r#"{"model": "render"}"#).unwrap();
        let Err(Failure::Input(error)) = show(dir.path(), &Catalogue::default(), None, 1) else {
            panic!("it is shown")
        };
        let place = dir.path().display();
        let picture = dir.path().join("picture.png");
        let expected =
            format!("{place}: is the run of a scene\n    view its scene file, or open {}", picture.display());
        assert_eq!(error.to_string(), expected);
    }
}
