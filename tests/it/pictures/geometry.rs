//! Positions in pictures equal those of the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewalk::geom::Vec2;
use tilewalk::render::Format;
use tilewalk::render::run::{Job, Range};
use tilewalk::render::scene::View;
use tilewalk::step;
use tilewalk::world::World;

use super::bytes;
use crate::support::maps;

/// Returns the positions of the agents in a picture of a map, in tiles.
fn positions(name: &str, frame: u64, view: &View) -> BTreeMap<String, Vec2> {
    let range = Range { from: frame, to: frame, every: 1 };
    let job = Job { range, ..Job::of(maps::scenario(name), view, Format::Svg) };
    let text = String::from_utf8(bytes(&job)).expect("text");
    let document = roxmltree::Document::parse(&text).expect("a document");
    let root = document.root_element();
    let numbers = |text: &str| -> Vec<f32> {
        text.split(' ').map(|number| number.parse().expect("a number")).collect()
    };
    let origin = numbers(root.attribute("data-origin").expect("an origin"));
    let tile = numbers(root.attribute("data-tile").expect("a scale"))[0];
    let discs = document.descendants().filter_map(|node| {
        let agent = node.attribute("data-agent")?.to_owned();
        let [x, y] = ["cx", "cy"].map(|axis| numbers(node.attribute(axis).expect("a centre"))[0]);
        Some((agent, Vec2::new((x - origin[0]) / tile, (y - origin[1]) / tile)))
    });
    discs.collect()
}

#[test]
fn positions_in_a_picture_are_those_of_the_run() {
    for (name, frame) in
        [("castle", 146), ("yard", 60), ("torus", 90), ("forest", 40), ("big", 20), ("missile", 80)]
    {
        let mut world = World::new(maps::scenario(name));
        for _ in 0..frame {
            step::step(&mut world);
        }
        let found = positions(name, frame, &View::default());
        assert_eq!(found.len(), world.ids().count(), "{name}");
        for id in world.ids() {
            let shown = found[&world.name(id).to_string()];
            let distance = (shown - world.position(id)).length();
            assert!(distance < 0.01, "{name}: {} is {distance} tiles away", world.name(id));
        }
    }
}

#[test]
fn a_cropped_or_centred_picture_keeps_positions() {
    let world = {
        let mut world = World::new(maps::scenario("castle"));
        (0..30).for_each(|_| step::step(&mut world));
        world
    };
    let guard = world.find("guard").expect("an agent");
    let at = world.position(guard);
    let crop =
        View { crop: Some([at.x - 2.0, at.y - 1.0, at.x + 1.5, at.y + 1.0]), ..View::default() };
    let centred = View { centre: Some("guard".to_owned()), ..View::default() };
    for view in [crop, centred] {
        let found = positions("castle", 30, &view);
        assert!((found["guard"] - at).length() < 0.01, "{found:?}");
    }
}

/// Trails, forces, feelers and the other overlays don't hide or move agents.
#[test]
fn overlays_are_drawn_for_all_shipped_maps() {
    use tilewalk::overlays::{Overlays, TABLE};
    let names: Vec<&str> = TABLE.iter().map(|entry| entry.name).collect();
    let all = Overlays::named(&names);
    for name in maps::names() {
        let name = name.as_str();
        let scenario = maps::scenario(name);
        let view = View { overlays: Some(all), width: Some(400), ..View::default() };
        let range = Range { from: 12, to: 12, every: 1 };
        let job = Job { range, ..Job::of(Arc::clone(&scenario), &view, Format::Svg) };
        let bytes = bytes(&job);
        let text = String::from_utf8(bytes).expect("text");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
        usvg::Tree::from_str(&text, &usvg::Options::default()).expect(name);
    }
}
