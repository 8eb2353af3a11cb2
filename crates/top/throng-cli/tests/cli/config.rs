//! `throng config`: templates, lists of parameters and settings in effect.

use super::{code, err, out, throng};

#[test]
fn the_default_config_is_read_back_as_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let template = throng(&["config", "--default"]);
    assert_eq!(code(&template), 0);
    assert!(out(&template).contains("<!-- modes that drive on the network; mode names separated by commas -->"));
    let path = folder.path().join("config.xml");
    std::fs::write(&path, &template.stdout).unwrap();
    let from_template = throng(&["config", "--effective", path.to_str().unwrap()]);
    let from_nothing = throng(&["config", "--effective"]);
    assert_eq!((code(&from_template), code(&from_nothing)), (0, 0), "{}", err(&from_template));
    assert_eq!(out(&from_template), out(&from_nothing));
    assert_eq!(err(&from_template), "");
}

#[test]
fn the_effective_config_shows_changes() {
    let set = ["config", "--effective", "--set", "qsim.flowCapacityFactor=0.1", "--seed", "7"];
    let output = throng(&set);
    assert_eq!(code(&output), 0);
    for part in [r#"name="flowCapacityFactor" value="0.1""#, r#"name="randomSeed" value="7""#] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
    let output = throng(&["config", "--schema", "--set", "qsim.stuckTime=1"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("use --effective"), "{}", err(&output));
    let schema = throng(&["config", "--schema"]);
    assert!(out(&schema).contains("throng.compat"), "{}", out(&schema));
}

#[test]
fn fields_have_a_template_a_list_of_keys_and_an_effective_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let template = throng(&["config", "--default", "--model", "fields"]);
    assert_eq!(code(&template), 0, "{}", err(&template));
    let file = folder.path().join("scenario.toml");
    std::fs::write(&file, &template.stdout).unwrap();
    let file = file.to_str().unwrap();
    let changes = ["--set", "run.steps=5", "--seed", "9"];
    let effective = throng(&[&["config", "--effective", file], &changes[..]].concat());
    assert_eq!(code(&effective), 0, "{}", err(&effective));
    // Two of these are defaults.
    for part in ["\nsteps = 5\n", "seed = 9\n", "[profiles.far]\n", "\nbits = 16\n", "\n[flow]\n"] {
        assert!(out(&effective).contains(part), "{part}: {}", out(&effective));
    }
    for model in [&["--model", "fields"][..], &["fields"], &[file]] {
        let schema = throng(&[&["config", "--schema"], model].concat());
        assert!(code(&schema) == 0 && out(&schema).contains("  run.steps\n"), "{model:?}: {}", out(&schema));
    }
    let misspelt = throng(&["config", "--schema", "feilds"]);
    assert!(code(&misspelt) == 2 && err(&misspelt).contains("did you mean \"fields\"?"), "{}", err(&misspelt));
    let both = throng(&["config", "--schema", file, "--model", "fields"]);
    assert!(code(&both) == 2 && err(&both).contains("leave one of them out"), "{}", err(&both));
    let named_twice = throng(&["config", "--effective", file, "--model", "fields"]);
    assert_eq!(code(&named_twice), 2, "a scenario names its model");

    let results = folder.path().join("out");
    let run = |more: &[&str]| {
        let results = results.to_str().unwrap();
        throng(&[&["run", file, "--device", "cpu", "--out", results, "--overwrite", "--steps", "4"], more].concat())
    };
    let timed = run(&["--timing"]);
    assert_eq!(code(&timed), 0, "{}", err(&timed));
    for phase in ["  loading\n", "  computing fields and paths\n", "  walking\n", "  drawing\n", "  measuring, writing"]
    {
        assert!(out(&timed).contains(phase), "{phase}: {}", out(&timed));
    }
    for threads in ["0", "1025"] {
        let refused = run(&["--threads", threads]);
        let expected = format!("--threads: {threads}\n    give a whole number from 1 to 1024, or leave it out");
        assert!(code(&refused) == 2 && err(&refused).contains(&expected), "{}", err(&refused));
    }
}
