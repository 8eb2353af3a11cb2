//! Animations of agents that are points in a rectangular world.

use std::time::Duration;

use throng_core::checks::positive;
use throng_output::PendingFile;
use throng_pictures::{Animation, Grid, HeatMap, Raster};

use crate::Failure;
use crate::step_model::Film;

/// Number of cells along the longer side of the empty field under the points.
const CELLS: f32 = 100.0;
const DELAY: Duration = Duration::from_millis(80);

/// The animation of a model whose agents are points. Each frame shows the world from `[0, 0]` to its size, with a title
/// and axes in the model's units of length.
///
/// ```
/// use throng_model::step_model::PointFilm;
/// use throng_model::step_model::Film as _;
/// use throng_output::{IfNotEmpty, RunFolder};
///
/// let out = std::env::temp_dir().join(format!("throng-points-{}", std::process::id()));
/// let folder = RunFolder::create(&out, IfNotEmpty::Refuse, "name another folder")?;
/// let mut file = folder.file("walkers.png")?;
/// let points = |walkers: &Vec<f64>| walkers.iter().map(|&x| [x, 5.0]).collect();
/// let mut film = PointFilm::new([40.0, 10.0], 2, &mut file, points, |step, _| format!("Walkers, step {step}"))?;
/// film.add(0, &vec![1.0, 2.0], &[])?;
/// film.add(1, &vec![3.0, 9.0], &[])?;
/// assert_eq!(Box::new(film).finish()?.frames.len(), 2);
/// assert!(file.complete()?.bytes > 500);
/// let mut file = folder.file("nothing.png")?;
/// let nobody = PointFilm::new([40.0, 0.0], 1, &mut file, |(): &()| Vec::new(), |_, _| String::new());
/// assert!(nobody.err().is_some_and(|failure| failure.to_string().starts_with("film, height of the world: 0")));
/// # std::fs::remove_dir_all(out).unwrap();
/// # Ok::<(), throng_model::Failure>(())
/// ```
pub struct PointFilm<'f, P, T> {
    animation: Animation<&'f mut PendingFile>,
    ground: Raster<'static>,
    points: P,
    title: T,
}

impl<'f, P, T> PointFilm<'f, P, T> {
    /// Creates an animation of `frames` frames. `points` returns the positions of the agents in a state, and `title`
    /// the title of a frame from its step and measures. Titles should have the same number of lines and similar
    /// lengths.
    ///
    /// # Errors
    /// When a side length of the world is not positive, or `frames` is 0.
    pub fn new<S>(size: [f64; 2], frames: u32, file: &'f mut PendingFile, points: P, title: T) -> Result<Self, Failure>
    where
        P: Fn(&S) -> Vec<[f64; 2]>,
        T: Fn(u64, &[f64]) -> String,
    {
        let width = positive("film, width of the world", size[0] as f32)?;
        let height = positive("film, height of the world", size[1] as f32)?;
        let cell = width.max(height) / CELLS;
        // Rounds the number of cells up, so that all points are on the map.
        let [columns, rows] = [width, height].map(|side| ((side / cell).ceil() as u32).max(1));
        let grid = Grid::new([0.0; 2], cell, columns, rows)?;
        let ground = Raster::uniform(grid, 0.0);
        Ok(Self { animation: Animation::new(file, frames, DELAY)?, ground, points, title })
    }
}

impl<S, P: Fn(&S) -> Vec<[f64; 2]>, T: Fn(u64, &[f64]) -> String> Film<S> for PointFilm<'_, P, T> {
    fn add(&mut self, step: u64, state: &S, measures: &[f64]) -> Result<(), Failure> {
        let points = (self.points)(state).into_iter().map(|point| (point, 0));
        let frame = HeatMap::new(&self.ground).as_ground().with_points(points).with_title((self.title)(step, measures));
        Ok(self.animation.add(&frame.draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<throng_output::film::Film, Failure> {
        Ok(self.animation.finish()?)
    }
}
