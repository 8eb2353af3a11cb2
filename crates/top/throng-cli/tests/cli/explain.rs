//! `throng config --explain`: one config, and all configs below a folder.

use std::fs;
use std::path::Path;

use throng_testing::repository;

use super::{code, err, out, throng};

#[test]
fn a_config_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.xml");
    fs::write(
        &config,
        "<config>\n<module name=\"qsim\"><param name=\"stuckTime\" value=\"30\"/>\n\
         <param name=\"useLanes\" value=\"true\"/></module>\n\
         <module name=\"planCalcScore\"><param name=\"learningRate\" value=\"1\"/></module>\n<module name=\"mine\"/></config>",
    )
    .unwrap();
    let file = config.to_str().unwrap();
    let refused = throng(&["config", "--explain", file]);
    assert_eq!(code(&refused), 1, "{}", err(&refused));
    let text = out(&refused);
    for part in [
        ": refused\n1 setting used (1 not the default), 1 without effect, 1 refused, 1 warning\n",
        "config.xml:3: qsim.useLanes=true is not supported",
        "module \"mine\" is unknown and ignored",
        "  qsim.stuckTime  30  default 10\n",
        "  scoring  1 setting: for iterations, which are not simulated yet\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let accepted = throng(&["config", "--explain", file, "--set", "qsim.useLanes=false"]);
    assert_eq!(code(&accepted), 0, "{}", out(&accepted));
    assert!(out(&accepted).contains("config.xml: accepted\n2 settings used (1 not the default)"), "{}", out(&accepted));
    // The same settings stop a run.
    let run = throng(&["run", file, "--out", folder.path().join("out").to_str().unwrap()]);
    assert!(code(&run) == 2 && err(&run).contains("config.xml:3: qsim.useLanes=true"), "{}", err(&run));
}

#[test]
fn configs_below_a_folder_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let here = folder.path().to_str().unwrap();
    let none = throng(&["config", "--explain", here]);
    assert!(code(&none) == 2 && err(&none).contains("there is no config below this folder"), "{}", err(&none));
    write("a/drt.xml", "<config>\n<module name=\"drt\"/></config>");
    write("network.xml", "<network/>");
    let only = throng(&["config", "--explain", here]);
    assert!(code(&only) == 1 && out(&only).contains("drt.xml: refused\n0 settings used"), "{}", out(&only));
    write("b/config.xml", "<config><module name=\"qsim\"><param name=\"stuckTime\" value=\"30\"/></module></config>");
    write("c.xml", "<config>\n<module>");
    write(".hidden/config.xml", "<config/>");
    let listed = throng(&["config", "--explain", here]);
    assert_eq!(code(&listed), 1, "{}", err(&listed));
    let text = out(&listed);
    assert!(text.starts_with("1 of 3 configs are accepted\n\n"), "{text}");
    let lines: Vec<Vec<&str>> = text.lines().skip(3).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..8], ["0", "0", "1", "0", "a/drt.xml", "line", "2:", "module"], "{text}");
    assert_eq!(lines[1], ["1", "0", "0", "0", "b/config.xml", "accepted"], "{text}");
    assert_eq!(lines[2][..6], ["-", "-", "-", "-", "c.xml", "not"], "{text}");
    let ignored = throng(&["config", "--explain", &format!("{here}/a"), "--set", "throng.ignoreUnsupported=true"]);
    assert!(code(&ignored) == 0 && out(&ignored).contains("; ignored"), "{}", out(&ignored));
}

#[test]
fn scenarios_of_traffic_are_explained_and_others_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("morning.toml");
    let config = repository().join("examples/city/config.xml");
    fs::write(
        &file,
        format!("model = \"traffic\"\nconfig = {:?}\n[set]\nqsim.stuckTime = 30\n", config.to_str().unwrap()),
    )
    .unwrap();
    let of_traffic = throng(&["config", "--explain", file.to_str().unwrap(), "--seed", "7"]);
    assert_eq!(code(&of_traffic), 0, "{}", err(&of_traffic));
    for part in ["  qsim.stuckTime", "  global.randomSeed", "7", "default 4711"] {
        assert!(out(&of_traffic).contains(part), "{part}: {}", out(&of_traffic));
    }
    let fields = repository().join("examples/fields").display().to_string();
    let other = throng(&["config", "--explain", &fields]);
    assert!(code(&other) == 2 && err(&other).contains("use --effective"), "{}", err(&other));
    let missing = throng(&["config", "--explain", "no/such/config.xml"]);
    assert!(code(&missing) == 2 && err(&missing).contains("there is no such file or folder"), "{}", err(&missing));
}

/// The message about a taxi service names flags, with which the scenario runs.
#[test]
fn a_scenario_with_taxis_runs_with_the_flags_that_the_message_names() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "network.xml",
        "<network><nodes><node id='1' x='0' y='0'/><node id='2' x='1000' y='0'/></nodes><links>\
         <link id='a' from='1' to='2' length='1000' freespeed='10' capacity='900' permlanes='1' modes='car'/>\
         <link id='b' from='2' to='1' length='1000' freespeed='10' capacity='900' permlanes='1' modes='car'/></links></network>",
    );
    write(
        "plans.xml",
        "<!DOCTYPE population SYSTEM 'population_v6.dtd'><population><person id='p'><plan selected='yes'>\
         <activity type='h' link='a' x='1000' y='0' end_time='08:00:00'/><leg mode='taxi'/>\
         <activity type='w' link='b' x='0' y='0' end_time='09:00:00'/><leg mode='taxi'/>\
         <activity type='h' link='a' x='1000' y='0'/></plan></person></population>",
    );
    for services in [
        "<module name='dvrp'/><module name='multiModeTaxi'><parameterset type='taxi'/></module>",
        "<module name='taxi'/>",
        "<module name='drt'><param name='mode' value='taxi'/></module>",
    ] {
        write(
            "config.xml",
            &format!(
                "<config><module name='network'><param name='inputNetworkFile' value='network.xml'/></module>\
                 <module name='plans'><param name='inputPlansFile' value='plans.xml'/></module>{services}</config>"
            ),
        );
        let run = |more: &[&str]| {
            let (config, results) = (folder.path().join("config.xml"), folder.path().join("out"));
            let args = ["run", path(&config), "--out", path(&results), "--device", "cpu", "--no-cache"];
            throng(&[&args, more].concat())
        };
        let refused = run(&[]);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
        let text = err(&refused);
        let advice = text.lines().rfind(|line| line.contains("teleportedModeSpeed_taxi")).expect("a speed");
        let flags: Vec<&str> = advice.split_whitespace().skip_while(|word| *word != "--set").collect();
        let done = run(&flags);
        assert_eq!(code(&done), 0, "{flags:?}: {}", err(&done));
        assert!(out(&done).contains("trips       2 finished"), "{}", out(&done));
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
