//! Checks that rendered tournament games agree with their records.

use throng_core::NoProgress;
use throng_games::kalah::tournament::{KalahModel, Settings, Tournament, run};
use throng_model::replay::StoredRun;
use throng_model::{Model as _, RunRequest};

#[test]
fn scenes_show_the_first_game() {
    let dir = tempfile::tempdir().unwrap();
    let players = ["greedy", "minimax:2"].map(str::to_owned).to_vec();
    let settings = Settings { players, openings: 2, folder: dir.path().join("run"), ..Settings::default() };
    let done = run(Tournament::new(settings, 1).unwrap(), &RunRequest::default(), &NoProgress).unwrap();
    let record = &done.results.games[0].record;
    let stored = StoredRun::open(&done.folder).unwrap();
    let replay = stored.replay(&[&KalahModel]).unwrap();
    for (colouring, _) in replay.colourings() {
        let [recording, again] = [(); 2].map(|()| replay.open(&stored, colouring).unwrap());
        assert_eq!(recording.times().last, record.cells().len() as f64);
        for (moves, board) in record.boards().iter().enumerate() {
            let scene = recording.scene(moves as f64).unwrap();
            assert_eq!(scene.check(), Ok(()));
            assert_eq!(scene, again.scene(moves as f64).unwrap());
            // The stones beyond the ends of the rows are in stores: bottom's is at the right.
            let beyond = |sign: f64| scene.spheres.iter().filter(|stone| sign * stone.center[0] > 3.0).count();
            let expected = [6, 13].map(|store| usize::from(board.cells()[store]));
            assert_eq!(([beyond(1.0), beyond(-1.0)], scene.spheres.len()), (expected, 48), "move {moves}");
        }
    }
    let error = replay.open(&stored, "size").err().unwrap().text();
    assert!(error.contains("colouring: \"size\"\n    give one of player, pit"), "{error}");
    std::fs::remove_file(done.folder.join("games.txt")).unwrap();
    let error = replay.open(&stored, "player").err().unwrap().text();
    assert!(error.contains("run: has no games.txt, which rendering needs\n    repeat the run"), "{error}");
    assert!(KalahModel.replay().is_some());
}
