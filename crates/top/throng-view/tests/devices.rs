//! Pages drawn on devices.

use std::process::Command;
use std::sync::Arc;
use std::thread;

use serde_json::json;
use throng_device::{Device, Executor};
use throng_render::has_bits_of_the_cpu;
use throng_testing_devices::all_devices;
use throng_view::{Frame, Running, SceneShow, Server, ServerOptions, Show as _, View};

use crate::shows::{expected, file, view};
use crate::support::client::{Page, Picture, Said};

/// The devices whose images equal those of the CPU.
fn devices_with_bits_of_the_cpu() -> impl Iterator<Item = &'static Arc<Device>> {
    all_devices().into_iter().filter(|device| {
        let is_equal = has_bits_of_the_cpu(device).unwrap();
        if !is_equal {
            println!("{}: quotients and images differ from the CPU", device.label());
        }
        is_equal
    })
}

/// Starts a server that draws on a device.
fn serve(device: &Arc<Device>) -> Running {
    let show = SceneShow::new(&file(), Executor::from(device), 1).unwrap();
    Server::bind(Arc::new(show), ServerOptions::default()).unwrap().spawn().unwrap()
}

fn ask(page: &mut Page, seq: u32, view: &View) {
    page.send(json!({"seq": seq, "view": view}).to_string());
}

#[test]
fn every_image_of_a_device_equals_that_of_the_cpu() {
    for device in devices_with_bits_of_the_cpu() {
        let on_device = SceneShow::new(&file(), Executor::from(device), 1).unwrap();
        let on_cpu = SceneShow::new(&file(), Executor::cpu(), 1).unwrap();
        // The second view moves the light, but not the shapes that are already on the device.
        for view in [view(None), view(Some([6.0, 5.0, 1.0]))] {
            let [found, expected] = [&on_device, &on_cpu].map(|show| {
                let mut work = show.begin(&view).unwrap();
                std::iter::from_fn(|| work.next(&|| false)).collect::<Result<Vec<Frame>, _>>().unwrap()
            });
            // The first image of the second view has any size.
            for (found, expected) in found.iter().rev().zip(expected.iter().rev()).take(4) {
                assert_eq!((found.width, found.samples), (61, expected.samples));
                assert!(found.rgba == expected.rgba, "{} samples on {}", found.samples, device.label());
                assert_eq!(found.device, Some(device.label()));
            }
        }
    }
}

#[test]
fn two_pages_share_a_device() {
    for device in devices_with_bits_of_the_cpu() {
        let running = serve(device);
        let url = running.url();
        let watch = |x: f64| {
            let mut page = Page::open(url);
            for seq in 1..=4 {
                let view = view(Some([x, 5.0, f64::from(seq)]));
                ask(&mut page, seq, &view);
                let last = page.pictures_until_done(seq).pop().unwrap();
                assert!(last.rgba == expected(&view), "light at {x}, request {seq} on {}", device.label());
                assert_eq!(last.device, device.label());
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| watch(-3.0));
            scope.spawn(|| watch(4.0));
        });
    }
}

/// Number of a launch after the kernels have been compiled and the first images drawn, but before the last image.
#[cfg(debug_assertions)]
const FAULT: &str = "lost@launch:20";

/// Faults are set by the environment, which can only be changed for child processes, so this test runs itself again.
#[cfg(debug_assertions)]
#[test]
fn the_cpu_replaces_a_device_that_fails() {
    let Some(device) = all_devices().first().copied() else { return };
    if std::env::var_os("THRONG_FAULT").is_none() {
        let name = "devices::the_cpu_replaces_a_device_that_fails";
        let mut again = Command::new(std::env::current_exe().unwrap());
        let output = again.args([name, "--exact", "--nocapture"]).env("THRONG_FAULT", FAULT).output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success() && text.contains(&format!("THRONG_FAULT: {FAULT}\n")), "{text}");
        return;
    }
    let running = serve(device);
    let mut page = Page::open(running.url());
    let mut errors = Vec::new();
    // Images and errors up to the last image of a request.
    let mut watch = |seq: u32| -> Vec<Picture> {
        let view = view(None);
        ask(&mut page, seq, &view);
        let mut pictures = Vec::new();
        loop {
            match page.hear() {
                Said::Picture(picture) => pictures.push(picture),
                Said::Error(of, message) => errors.push((of, message)),
                Said::End(code) => panic!("the connection has ended with {code:?}"),
            }
            if pictures.last().is_some_and(|last| last.seq == seq && last.samples == 64) {
                assert!(pictures[pictures.len() - 1].rgba == expected(&view), "request {seq}");
                return pictures;
            }
        }
    };
    let cpu = format!("cpu, because {} failed", device.label());
    let first = watch(1);
    assert_eq!((&first[0].device, &first[first.len() - 1].device), (&device.label(), &cpu));
    assert!(watch(2).iter().all(|picture| picture.device == cpu));
    let [(Some(1), message)] = errors.as_slice() else { panic!("{errors:?}") };
    let start = format!("device: {} failed during", device.label());
    assert!(message.starts_with(&start) && message.contains("on the CPU from now on"), "{message}");
}
