//! Colours of pictures: contrast by WCAG 2.2, and colour blindness by simulation.

use ratatui::style::Color;
use tilewalk::palette::{Name, Rgb};
use tilewalk::render::picture::{Picture, Shape};
use tilewalk::render::scene::{Scene, View};
use tilewalk::render::style::Style;
use tilewalk::step;
use tilewalk::world::{Look, World};

use crate::screens::themes::{contrast, distance};
use crate::support::maps;

fn ratio(one: Rgb, other: Rgb) -> f64 {
    contrast(Color::from_u32(one), Color::from_u32(other))
}

/// Returns a picture of a map after some frames.
fn picture(name: &str, theme: Name) -> Picture {
    let mut world = World::new(maps::scenario(name));
    let view = View { theme, width: Some(800), ..View::default() };
    let mut scene = Scene::new(view, &world).expect("a scene");
    for _ in 0..8 {
        scene.note(&world);
        step::step(&mut world);
    }
    scene.picture(&Look::at(&world), None)
}

#[test]
fn texts_and_marks_of_all_themes_have_enough_contrast() {
    for theme in Name::ALL {
        let floor = Style::of(theme).background();
        for name in ["castle", "yard", "terrain", "crossing", "slanted_walls"] {
            let picture = picture(name, theme);
            let (mut texts, mut agents, mut lines) = (0, 0, 0);
            for shape in picture.shapes() {
                let (rgb, least) = match shape {
                    Shape::Area { ink, text, .. } if !text.is_empty() => {
                        texts += 1;
                        (ink.rgb, 4.5)
                    }
                    Shape::Disc { fill: Some(fill), name, .. } if !name.is_empty() => {
                        agents += 1;
                        (fill.rgb, 3.0)
                    }
                    // Lines between tiles are faint, and halos of texts have the colour of the floor.
                    Shape::Line { stroke, .. }
                        if ![floor, Style::of(theme).grid()].contains(&stroke.ink.rgb) =>
                    {
                        lines += 1;
                        (stroke.ink.rgb, 3.0)
                    }
                    Shape::Area { .. } | Shape::Disc { .. } | Shape::Line { .. } => continue,
                };
                let found = ratio(rgb, floor);
                assert!(found >= least, "{theme} {name}: {rgb:06x} has {found:.2}: {shape:?}");
            }
            assert!(texts > 3 && agents > 0 && lines > 3, "{name}: {texts} {agents} {lines}");
        }
    }
}

#[test]
fn the_colours_of_forces_and_overlays_have_enough_contrast() {
    for theme in Name::ALL {
        let style = Style::of(theme);
        let agents = (0..8).map(|index| style.numbered(index));
        let vectors = (0..8).map(|index| style.vector(index));
        for rgb in style.moving().into_iter().chain(agents).chain(vectors) {
            let found = ratio(rgb, style.background());
            assert!(found >= 3.0, "{theme}: {rgb:06x} has {found:.2}");
        }
    }
}

/// Viewers with protanopia and deuteranopia can distinguish the agents of the theme `color-blind`.
#[test]
fn agents_of_the_colour_blind_theme_differ_for_dichromats() {
    let closest = |theme: Name| {
        let style = Style::of(theme);
        let colors: Vec<Rgb> = (0..8).map(|index| style.numbered(index)).collect();
        let mut closest = f64::INFINITY;
        for (index, one) in colors.iter().enumerate() {
            for other in &colors[..index] {
                let [one, other] = [*one, *other].map(Color::from_u32);
                closest = closest.min(distance(one, other));
            }
        }
        closest
    };
    assert!(closest(Name::ColorBlind) >= 15.0, "{}", closest(Name::ColorBlind));
    assert!(closest(Name::Dark) < 15.0, "other themes are not made for colour blindness");
}
