//! Mistakes of which each causes a single problem, with the key and the value of the file.

use tempfile::TempDir;
use throng_fields_model::Scenario;

use super::saved;

/// A scenario without mistakes, in front of a part.
fn with(part: &str) -> String {
    const START: &str = r#"
        model = "fields"
        layers = ["force"]
        grid = { size = [30, 20], cell = 1 }
        run = { steps = 10, time_step = 1 }
        goals = [{ at = [28, 10], radius = 1 }]
        output = { frame_every = 0 }
        [profiles.p]
        form = "linear"
        radius = 4
    "#;
    format!("{START}\n{part}")
}

/// The problems of a scenario, without the path of the file and the line.
fn problems(text: &str) -> Vec<String> {
    let dir = TempDir::new().unwrap();
    let Err(error) = Scenario::read(&saved(&dir, text), &[]) else { return Vec::new() };
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.ends_with(" problems")).collect();
    let of_pair = |pair: &[&str]| {
        let (place, remedy) = (pair[0].split_once(": ").map_or(pair[0], |(_, problem)| problem), pair[1].trim());
        format!("{place} / {remedy}")
    };
    lines.chunks(2).map(of_pair).collect()
}

#[test]
fn entities_walls_and_groups_are_refused_with_their_own_keys_and_values() {
    let entity = |keys: &str| format!("[[entities]]\nname = \"g\"\nat = [5, 5]\nprofile = \"p\"\n{keys}");
    let wall = |keys: &str| format!("[[walls]]\nname = \"w\"\n{keys}");
    let turned = "shape = \"box\"\nsize = [1, 2]\nheading = nan";
    // Its corners are beyond 1000 times the side of the map.
    let half_plane = "shape = \"polygon\"\ncorners = [[0, -1e6], [1e6, -1e6], [1e6, 1e6], [0, 1e6]]";
    assert!(problems(&with(&entity(half_plane))).is_empty());
    for (part, expected) in [
        (entity(turned), "entities \"g\", heading: NaN / expected a finite number"),
        (entity("shape = \"box\"\nsize = [-1, 2]"), "entities \"g\", size: -1 / expected a finite number, 0 or more"),
        (
            entity("shape = \"ring\"\nradius = 1e38"),
            "entities \"g\", radius: 100000000000000000000000000000000000000 / give at most 30000, 1000 times the \
             longer side of the map",
        ),
        (entity("shape = \"ring\"\nradius = -1"), "entities \"g\", radius: -1 / expected a finite number, 0 or more"),
        (
            entity("shape = \"capsule\"\nlength = inf"),
            "entities \"g\", length: inf / expected a finite number, 0 or more",
        ),
        (
            entity("shape = \"cone\"\nopening = -3"),
            "entities \"g\", opening: -3 / expected degrees, above 0 and at most 360",
        ),
        (
            entity("shape = \"polygon\"\ncorners = [[0, 0], [1, nan], [1, 1]]"),
            "entities \"g\", corners: [1.0, NaN] / expected finite numbers",
        ),
        (
            entity("shape = \"polygon\"\ncorners = [[0, 0], [1, 1e13], [1, 1]]"),
            "entities \"g\", a length of shape or profile: 10000000000000 / on cells of 1, give lengths from \
             1e-9 to 1e12 cells",
        ),
        (
            entity("shape = \"cone\"\nopening = 500\nsees = { fire = 1 }\nrange = 5"),
            "entities \"g\", opening: 500 / expected degrees, above 0 and at most 360",
        ),
        (entity("emits = {}"), "entities \"g\", emits: {} / expected the rate into at least one layer that diffuses"),
        (
            "[profiles.long]\nform = \"linear\"\nradius = 1e38\n\
             [[entities]]\nname = \"g\"\nat = [5, 5]\nprofile = \"long\""
                .to_owned(),
            "profiles \"long\", radius: 100000000000000000000000000000000000000 / give at most 30000, 1000 times the \
             longer side of the map",
        ),
        (
            "[stamps.s]\nside = 1e13\nvalues = [[1]]\n\
             [[entities]]\nname = \"g\"\nat = [5, 5]\nshape = \"stamp\"\nstamp = \"s\""
                .to_owned(),
            "stamps \"s\", side: 10000000000000 / give at most 30000, 1000 times the longer side of the map",
        ),
        (entity("shape = \"polygon\"\ncorners = [[0, 0]]"), "entities \"g\", corners: 1 / expected at least three"),
        (entity("charge = nan"), "entities \"g\", charge: NaN / expected a finite number"),
        (
            entity("charge = 1e13"),
            "entities \"g\", charge: 10000000000000 / charge times profile or stamp value may be at most 1e12",
        ),
        (
            wall("shape = \"disc\"\nat = [nan, 5]\nradius = 1"),
            "walls \"w\", at: [NaN, 5.0] / expected finite numbers, at most 1e30",
        ),
        (
            wall("shape = \"disc\"\nat = [4, 5]\nradius = 0"),
            "walls \"w\", radius: 0 / expected a finite number above 0",
        ),
        (
            wall("shape = \"box\"\nat = [4, 5]\nsize = [1, nan]"),
            "walls \"w\", size: NaN / expected a finite number, 0 or more",
        ),
        (
            wall("shape = \"box\"\nat = [4, 5]\nsize = [1e38, 1]"),
            "walls \"w\", size: 100000000000000000000000000000000000000 / give at most 30000, 1000 times the longer \
             side of the map",
        ),
        (wall("shape = \"polygon\"\npoints = [[4, 5], [5, 6]]"), "walls \"w\", points: 2 / expected at least three"),
        (
            wall("shape = \"line\"\npoints = [[4, 5], [5, inf]]"),
            "walls \"w\", points: [5.0, inf] / expected finite numbers, at most 1e30",
        ),
        (
            wall("shape = \"line\"\npoints = [[4, 5], [5, 1e20]]"),
            "walls \"w\", points, a length of shape or profile: 100000000000000000000 / on cells of 1, give lengths \
             from 1e-9 to 1e12 cells",
        ),
        (
            "[[agents]]\nname = \"a\"\ncount = 3\nstart = { from = [1, 1], to = [3, 3] }\nspeed = 1\n\
             follow = \"flow\"\nprofile = \"p\"\ncharge = inf"
                .to_owned(),
            "agents \"a\", charge: inf / expected a finite number",
        ),
    ] {
        let text = with(&part);
        let text = if part.contains("sees") {
            text.replace("[\"force\"]", "[\"force\", \"fire\"]")
                .replace("profile = \"p\"", "profile = \"p\"\nlayers = [\"force\"]")
                + "\n[sight.fire]"
        } else {
            text
        };
        assert_eq!(problems(&text), [expected], "{part}");
    }
}

#[test]
fn lengths_are_limited_in_cells_of_the_grid() {
    // All lengths are too short, or too long, for cells of 1 or for the side of 1 of an entity without a field. The
    // stamp reaches beyond 1000 times the longer side of the map, to which only the distance between its values is
    // limited.
    let values = [vec![1.0f32; 16_500]];
    for (scale, cells) in [("e-11", 1e-11f64), ("e-6", 1e-6), ("e9", 1e9), ("e13", 1e13)] {
        let text = format!(
            r#"
            model = "fields"
            layers = ["force", "scent", "fire"]
            grid = {{ size = [40{scale}, 30{scale}], cell = 1{scale} }}
            run = {{ steps = 1, time_step = 1 }}
            profiles.p = {{ form = "linear", radius = 3{scale} }}
            goals = [{{ at = [30{scale}, 10{scale}], radius = 2{scale} }}]
            diffusion.scent = {{ diffusivity = 0 }}
            sight.fire = {{}}
            stamps.s = {{ side = 5{scale}, values = {values:?} }}
            entities = [
                {{ at = [9{scale}, 9{scale}], profile = "p", layers = ["force"], shape = "ring", radius = 2{scale} }},
                {{ at = [9{scale}, 9{scale}], emits = {{ scent = 1 }} }},
                {{ at = [9{scale}, 9{scale}], sees = {{ fire = 1 }}, range = 5{scale} }},
                {{ at = [9{scale}, 9{scale}], shape = "stamp", stamp = "s", layers = ["force"] }},
            ]
            [[walls]]
            shape = "box"
            at = [20.5{scale}, 15{scale}]
            size = [1{scale}, 14{scale}]
            [[agents]]
            name = "a"
            count = 3
            start = {{ from = [1{scale}, 1{scale}], to = [3{scale}, 3{scale}] }}
            speed = 1{scale}
            follow = "flow"
            profile = "p"
            layers = ["force"]
            "#
        );
        let dir = TempDir::new().unwrap();
        let scenario = Scenario::read(&saved(&dir, &text), &[]).unwrap();
        assert_eq!(scenario.entities.len(), 4, "{scale}");
        assert_eq!(scenario.grid().cell(), cells as f32);
        // One column of 14 cells.
        let walls = scenario.terrains.ground(0).open().flags().iter().filter(|open| !**open).count();
        assert_eq!(walls, 14, "{scale}");
    }
    let short = "[profiles.short]\nform = \"linear\"\nradius = 1e-10\n\
                 [[entities]]\nname = \"g\"\nat = [5, 5]\nprofile = \"short\"";
    let expected = "entities \"g\", a length of shape or profile: 0.0000000001 / on cells of 1, give lengths from 1e-9 \
                    to 1e12 cells";
    assert_eq!(problems(&with(short)), [expected]);
}

#[test]
fn mistakes_of_views_flows_and_formations_are_reported_once() {
    let viewer = |sees: &str, sight: &str| {
        let sight = sight.to_owned() + "\n[sight.fire]";
        with(&format!("{sight}\n[[entities]]\nname = \"g\"\nat = [5, 5]\nsees = {{ fire = {sees} }}\nrange = 9"))
            .replace("layers = [\"force\"]", "layers = [\"force\", \"fire\"]")
    };
    let in_formation = |keys: &str| {
        with(&format!(
            "[[agents]]\nname = \"a\"\nstart = {{ from = [1, 1], to = [9, 9] }}\nspeed = 1\nfollow = \"flow\"\n{keys}"
        ))
    };
    for (text, expected) in [
        (viewer("nan", ""), "entities \"g\", sees, fire: NaN / expected a finite number"),
        (viewer("-inf", ""), "entities \"g\", sees, fire: -inf / expected a finite number"),
        (
            viewer("-1", "").replace("[sight.fire]", "[sight.fire]\nprofile = \"q\""),
            "sight \"fire\", profile: there is no profile \"q\" / did you mean \"p\"? known: p",
        ),
        (
            with("[flow]\nbase = 1e38"),
            "flow, base: 100000000000000000000000000000000000000 / without the highest cost, expected at most \
             1.3292279e36",
        ),
        (
            in_formation("count = 9\nradius = 0.3\nformation = { shape = \"box\", spacing = 0 }"),
            "agents \"a\", formation, spacing: 0 / expected a finite number above 0",
        ),
        (
            in_formation("count = 9\nradius = 0.3\nformation = { shape = \"box\", spacing = -1 }"),
            "agents \"a\", formation, spacing: -1 / expected a finite number above 0",
        ),
        (
            in_formation("count = 9\nradius = 0.3\nformation = { shape = \"box\", spacing = 0.5 }"),
            "agents \"a\", formation, spacing: 0.5 / expected at least 0.6, the diameter of the bodies",
        ),
        (
            in_formation("count = 0\nformation = { shape = \"box\", spacing = 1, subgroups = 3 }"),
            "agents \"a\", count: 0 / expected a number from 1 to 100000000",
        ),
        (
            in_formation("count = 0\nformation = { shape = \"box\", spacing = 1, subgroups = 4294967295 }"),
            "agents \"a\", count: 0 / expected a number from 1 to 100000000",
        ),
        (
            in_formation(
                "count = 0\nspawn = { every = 100 }\nformation = { shape = \"box\", spacing = 1, subgroups = 0 }",
            ),
            "agents \"a\", formation, subgroups: 0 / expected a number from 1 to 1, that of agents",
        ),
        (
            in_formation("count = 2\nformation = { shape = \"box\", spacing = 1, subgroups = 3 }"),
            "agents \"a\", formation, subgroups: 3 / expected a number from 1 to 2, that of agents",
        ),
    ] {
        assert_eq!(problems(&text), [expected], "{text}");
    }
    // No agent enters during the run.
    let subgroups = "formation = { shape = \"box\", spacing = 1, subgroups = 4294967295 }";
    assert!(problems(&in_formation(&format!("count = 0\nspawn = {{ every = 100 }}\n{subgroups}"))).is_empty());
    assert!(problems(&with("[flow]\nbase = 1e36")).is_empty() && problems(&viewer("-1", "")).is_empty());
}

#[test]
fn too_many_layers_are_one_problem() {
    let names: Vec<String> = (0..33).map(|i| format!("l{i}")).collect();
    let text = with("").replace("[\"force\"]", &format!("{names:?}"));
    // Of the combined field, whose layers have too few bits, and of the last layer.
    for output in ["output = { frame_every = 1 }", "output = { frame_every = 1, layer = \"l32\" }"] {
        let text = text.replace("output = { frame_every = 0 }", output);
        let entity = "\n[[entities]]\nat = [5, 5]\nprofile = \"p\"\nlayers = [\"l32\"]";
        assert_eq!(problems(&(text + entity)), ["layers: 33 layers / expected 1 to 32 names"], "{output}");
    }
}

#[test]
fn problems_have_the_line_of_their_key() {
    let group = "[[agents]]\nname = \"a\"\ncount = 3\nstart = { from = [1, 1], to = [3, 3] }\nspeed = 1\n";
    let step = "[[combine]]\noperation = \"add\"\nlayer = \"force\"\n";
    let add = "{ operation = \"add\", layer = \"force\", weight";
    for (part, line, place) in [
        ("[flow]\ndanger = \"force\"\nbase = 1e38".to_owned(), "base = 1e38", "flow, base"),
        ("[flow]\ndanger = \"force\"\nhighest = 0.5".to_owned(), "highest = 0.5", "flow, highest"),
        (
            format!("{group}follow = \"neighbour\"\nprofile = \"p\"\ncharge = 2\ntrail_cells = 4\ntrail_charge = -1"),
            "trail_charge = -1",
            "agents \"a\", trail_charge",
        ),
        (format!("{group}follow = \"flow\"\nradius = -1"), "radius = -1", "agents \"a\", radius"),
        (format!("{step}weight = 1\n{step}weight = inf"), "weight = inf", "combine 2, weight"),
        (
            format!("[combinations.c]\nsteps = [\n{add} = 1 }},\n{add} = inf }},\n]"),
            "{ operation = \"add\", layer = \"force\", weight = inf },",
            "combinations \"c\", step 2, weight",
        ),
        (
            "[profiles.t]\nform = \"piecewise\"\nknots = [\n[0, 1],\n[2, nan],\n[3, 0]]".to_owned(),
            "[2, nan],",
            "profiles \"t\", knot 2, value before",
        ),
        ("[stamps.s]\nvalues = [[1]]\nside = 0".to_owned(), "side = 0", "stamps \"s\", side"),
        ("[stamps.s]\nside = 1\nvalues = [[]]".to_owned(), "[stamps.s]", "stamps \"s\", columns"),
    ] {
        let dir = TempDir::new().unwrap();
        let text = with(&part);
        let path = saved(&dir, &text);
        let error = Scenario::read(&path, &[]).map(|_| ()).unwrap_err();
        let number = 1 + text.lines().position(|found| found == line).unwrap();
        assert_eq!(error.place(), format!("{}:{number}: {place}", path.display()), "{part}: {error}");
    }
}
