//! Checks properties of every scene at many sizes, in every theme and colour depth, and in ASCII mode.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};
use tilewalk::depth::Depth;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Input;
use tilewalk::tui::layout::SMALLEST;
use tilewalk::tui::theme::{Name, Theme};
use unicode_width::UnicodeWidthStr;

use crate::screens::scenes;
use crate::support::scene::Scene;
use crate::support::screen::{Look, Size, drawn, rows, rows_of};

/// Checks a screen. The error describes what is wrong.
type Property = fn(&App, &Buffer) -> Result<(), String>;

const PROPERTIES: [(&str, Property); 4] = [
    ("drawn inside the terminal", is_inside),
    ("one symbol for each cell", has_one_symbol_for_each_cell),
    ("closed borders", has_closed_borders),
    ("selected agent in view", shows_the_selected_agent),
];

/// Checks all properties of all scenes at these sizes.
#[track_caller]
fn check(sizes: &[Size]) {
    let mut broken: BTreeMap<String, String> = BTreeMap::new();
    let scenes = scenes::all();
    let words: BTreeSet<String> = scenes.iter().flat_map(words_of).collect();
    for scene in scenes {
        for &size in sizes {
            let app = scene.at(size);
            let buffer = drawn(&app);
            let mut results: Vec<_> = PROPERTIES
                .iter()
                .map(|(what, property)| (*what, property(&app, &buffer)))
                .collect();
            results.push(("words cut only with `…`", has_whole_words(&app, &buffer, &words)));
            for (what, result) in results {
                if let Err(why) = result
                    && !MISTAKES.contains(&(scene.name.as_str(), why.as_str()))
                {
                    let screen = rows_of(&buffer, app.ui.screen).join("\n");
                    let first = format!("{} at {size:?}: {what}: {why}", scene.name);
                    broken.entry(format!("{what}: {why}")).or_insert(format!("{first}\n{screen}"));
                }
            }
        }
    }
    let list: Vec<&str> = broken.values().map(String::as_str).collect();
    assert!(list.is_empty(), "{}", list.join("\n"));
}

#[test]
fn all_properties_of_scenes_hold_on_screens_below_the_minimum_size() {
    check(&[(0, 0), (1, 1), (20, 5), (39, 12), (40, 11)]);
}

#[test]
fn all_properties_of_scenes_hold_on_small_screens() {
    check(&[(40, 12), (43, 15), (47, 13), (60, 20), (71, 30), (72, 16)]);
}

#[test]
fn all_properties_of_scenes_hold_on_screens_of_usual_size() {
    check(&[(79, 23), (80, 24), (84, 46), (99, 30), (100, 30)]);
}

#[test]
fn all_properties_of_scenes_hold_on_wide_screens() {
    check(&[(119, 41), (120, 40), (160, 45), (200, 60), (300, 80)]);
}

/// Nothing is drawn beyond the right and the lower edge.
fn is_inside(app: &App, _: &Buffer) -> Result<(), String> {
    if app.ui.setup.ascii {
        return Ok(());
    }
    let Rect { width, height, .. } = app.ui.screen;
    let larger = Rect::new(0, 0, width + 3, height + 3);
    let mut cell = ratatui::buffer::Cell::EMPTY;
    cell.set_symbol("§");
    let mut buffer = Buffer::filled(larger, cell);
    app.draw(&mut buffer);
    let beyond = |at: &Position| at.x >= width || at.y >= height;
    match larger.positions().filter(beyond).find(|&at| buffer[at].symbol() != "§") {
        Some(at) => Err(format!("`{}` at {at}", buffer[at].symbol())),
        None => Ok(()),
    }
}

/// Every symbol takes as many cells as it has columns. None is a control character.
fn has_one_symbol_for_each_cell(app: &App, buffer: &Buffer) -> Result<(), String> {
    for at in app.ui.screen.positions() {
        let symbol = buffer[at].symbol();
        let right = at.x + symbol.width() as u16;
        let hidden =
            (at.x + 1..right).all(|x| x < app.ui.screen.width && buffer[(x, at.y)].symbol() == " ");
        if symbol.is_empty() || symbol.chars().any(char::is_control) || !hidden {
            return Err(format!("{symbol:?} at {at}"));
        }
    }
    Ok(())
}

const CORNERS: [&str; 4] = ["╭", "╮", "╰", "╯"];

/// Returns the box whose upper left corner is at `at`, if it is closed: it has four corners and two sides.
/// The upper and the lower border may hold titles.
fn closed_box(buffer: &Buffer, at: Position) -> Option<Rect> {
    let sign = |x, y| buffer[(x, y)].symbol();
    let right = (at.x + 1..buffer.area.right()).find(|&x| CORNERS.contains(&sign(x, at.y)))?;
    let bottom = (at.y + 1..buffer.area.bottom()).find(|&y| sign(at.x, y) != "│")?;
    let corners = [sign(at.x, at.y), sign(right, at.y), sign(at.x, bottom), sign(right, bottom)];
    let sides = (at.y + 1..bottom).all(|y| sign(right, y) == "│");
    (corners == CORNERS && sides)
        .then(|| Rect::new(at.x, at.y, right - at.x + 1, bottom - at.y + 1))
}

/// Each corner belongs to a closed box or to a pane. The sides of a pane are closed where no box covers them.
fn has_closed_borders(app: &App, buffer: &Buffer) -> Result<(), String> {
    let boxes: Vec<Rect> =
        app.ui.screen.positions().filter_map(|at| closed_box(buffer, at)).collect();
    let (layout, gallery) = (app.layout(), app.gallery_layout());
    let panes = match app.session() {
        Some(_) => [layout.map, layout.inspector, layout.agents, layout.log],
        None => [gallery.list, gallery.about, gallery.preview, Rect::ZERO],
    };
    for at in app.ui.screen.positions() {
        let sign = buffer[at].symbol();
        if !CORNERS.contains(&sign) {
            continue;
        }
        let is_corner = |area: &Rect| {
            let (x, y) = (area.right() - 1, area.bottom() - 1);
            let corners = [(area.x, area.y), (x, area.y), (area.x, y), (x, y)];
            corners
                .into_iter()
                .zip(CORNERS)
                .any(|(place, corner)| (place, corner) == ((at.x, at.y), sign))
        };
        let panes = panes.iter().filter(|area| area.width > 1 && area.height > 1);
        if !boxes.iter().chain(panes).any(is_corner) {
            return Err(format!("`{sign}` at {at} belongs to no box"));
        }
    }
    let drawn = panes.iter().filter(|pane| pane.width > 1 && pane.height > 1 && !is_small(app));
    for pane in drawn {
        for at in (pane.y + 1..pane.bottom() - 1)
            .flat_map(|y| [pane.x, pane.right() - 1].map(|x| Position::new(x, y)))
        {
            // A long message covers whole rows above the status.
            let is_message = app.ui.answers.message.is_some() && at.y + 5 >= app.ui.screen.height;
            let covered =
                is_message || boxes.iter().any(|other| other != pane && other.contains(at));
            if buffer[at].symbol() != "│" && !covered && !app.ui.setup.ascii {
                return Err(format!("`{}` in the side of a pane at {at}", buffer[at].symbol()));
            }
        }
    }
    Ok(())
}

/// Whether the screen is too small for any pane.
fn is_small(app: &App) -> bool {
    app.ui.screen.width < SMALLEST.0 || app.ui.screen.height < SMALLEST.1
}

/// Returns the words of a scene on screens that are large enough to show all of them.
fn words_of(scene: &Scene) -> BTreeSet<String> {
    let sizes = [(300, 80), (300, 200), (200, 120), (120, 150)];
    sizes
        .into_iter()
        .flat_map(|size| words(&drawn(&scene.at(size))))
        .map(|(word, _)| word)
        .collect()
}

/// Returns the words of a screen with their positions.
fn words(buffer: &Buffer) -> Vec<(String, Position)> {
    let mut found: Vec<(String, Position)> = vec![];
    for y in buffer.area.y..buffer.area.bottom() {
        let mut open = false;
        for x in buffer.area.x..buffer.area.right() {
            let sign = buffer[(x, y)].symbol();
            let is_text = sign.chars().all(|c| c.is_alphabetic() || c == '…');
            match found.last_mut() {
                Some((word, _)) if open && is_text => word.push_str(sign),
                _ if is_text => found.push((sign.to_owned(), Position::new(x, y))),
                _ => {}
            }
            open = is_text;
        }
    }
    found
}

/// Words that are shown only on small screens, such as short names of the inspector's pages.
const SHORT: [&str; 10] =
    ["PgDn", "bod", "eve", "following", "mod", "more", "need", "pat", "plo", "stopped"];

/// Words that two lists cut without `…`, each with its scene. No entry may be added.
const MISTAKES: [(&str, &str); 2] = [("runs", "com"), ("tab_vehicle_forces", "zer")];

/// Every word is complete, ends with `…`, or is covered by a box.
fn has_whole_words(app: &App, buffer: &Buffer, whole: &BTreeSet<String>) -> Result<(), String> {
    let boxes: Vec<Rect> =
        buffer.area.positions().filter_map(|at| closed_box(buffer, at)).collect();
    // Letters on the map are not words.
    let (view, map) = (app.view().map(|view| view.area), app.layout().map);
    let is_map = |at: Position| {
        let over = boxes.iter().any(|area| *area != map && area.contains(at));
        !over && view.is_some_and(|view| view.contains(at))
    };
    let is_covered = |word: &str, at: Position| {
        let end = at.x + word.chars().count() as u16;
        boxes.iter().any(|area| {
            let beside = area.right() == at.x || area.x == end;
            beside && (area.y..area.bottom()).contains(&at.y)
        })
    };
    let cut = |(word, at): &(String, Position)| {
        word.chars().count() > 1
            && !word.ends_with('…')
            && !whole.contains(word)
            && !SHORT.contains(&word.as_str())
            && !is_covered(word, *at)
            && !is_map(*at)
    };
    let cut = words(buffer).into_iter().find(cut);
    cut.map_or(Ok(()), |(word, _)| Err(word))
}

/// If the view follows the selected agent, the agent is drawn on the map unless a list covers its cell.
fn shows_the_selected_agent(app: &App, buffer: &Buffer) -> Result<(), String> {
    let (Some(session), Some(view)) = (app.session(), app.view()) else { return Ok(()) };
    let followed = session.selected().filter(|_| app.map().camera.follow && !is_small(app));
    let Some(id) = followed.filter(|_| !view.area.is_empty()) else { return Ok(()) };
    let (world, map) = (session.world(), app.layout().map);
    let Some(cell) = view.body(world.tile(id), world.position(id)) else {
        return Err(format!("{} is out of view", world.tile(id)));
    };
    let at = Position::new(cell.x, cell.y);
    let boxes = app.ui.screen.positions().filter_map(|at| closed_box(buffer, at));
    let lists = !app.is_plain_map();
    let covered = boxes.into_iter().any(|area| (lists || area != map) && area.contains(at));
    let (drawn, glyph) = (buffer[at].symbol(), &world.kind(id).glyph);
    if covered || drawn == glyph { Ok(()) } else { Err(format!("`{drawn}` at {at}")) }
}

#[test]
fn every_key_shown_in_the_footer_has_an_effect() {
    for scene in scenes::all() {
        for size in [(40, 12), scene.size, (200, 60)] {
            let app = scene.at(size);
            let footer = rows(&app).pop().expect("a row");
            if footer.contains("does nothing here") {
                continue;
            }
            for hint in footer.split("  ").map(str::trim).filter(|hint| !hint.is_empty()) {
                let (key, _) = hint.split_once(' ').unwrap_or((hint, ""));
                // The hint `type` stands for any text.
                if key == "type" {
                    continue;
                }
                let key = key.parse().unwrap_or_else(|_| panic!("{}: {hint}", scene.name));
                let mut after = app.clone();
                after.update(Input::Key(key));
                let last_row = rows(&after).pop().expect("a row");
                let name = &scene.name;
                assert!(
                    !last_row.contains("does nothing here"),
                    "{name} {size:?}: {hint}: {last_row}"
                );
            }
        }
    }
}

/// Returns every theme in every colour depth.
fn themes() -> impl Iterator<Item = Theme> {
    let depths = [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::TrueColor];
    Name::ALL.into_iter().flat_map(move |name| depths.map(|depth| Theme::of(name, depth)))
}

fn is_supported(color: Color, depth: Depth) -> bool {
    match color {
        Color::Reset => true,
        Color::Indexed(0..16) => depth >= Depth::Sixteen,
        Color::Indexed(_) => depth >= Depth::Indexed,
        Color::Rgb(..) => depth == Depth::TrueColor,
        _ => false,
    }
}

/// In each theme and colour depth, the text is the same, and the terminal supports all colours.
#[test]
fn themes_change_no_text_and_use_only_supported_colours() {
    for scene in scenes::all() {
        let mut app = scene.at(scene.size);
        let before: Vec<String> = rows_of(&drawn(&app), app.ui.screen);
        for theme in themes() {
            let depth = theme.depth();
            app.ui.setup.theme = theme;
            let buffer = drawn(&app);
            // On a map that is zoomed out far, symbols depend on the colours.
            let far = app.map.as_ref().is_some_and(|map| map.camera.zoom.is_far());
            let same = far || rows_of(&buffer, app.ui.screen) == before;
            assert!(same, "{} {}", scene.name, depth.word());
            for at in app.ui.screen.positions() {
                let cell = &buffer[at];
                let fits = is_supported(cell.fg, depth) && is_supported(cell.bg, depth);
                assert!(fits, "{} {}: {cell:?} at {at}", scene.name, depth.word());
            }
        }
    }
}

/// Characters that are ASCII in Unicode mode stay the same.
#[test]
fn in_ascii_mode_every_cell_is_ascii() {
    for scene in scenes::all() {
        for size in [(20, 5), (40, 12), (80, 24), (120, 40), (200, 60)] {
            let mut app = scene.at(size);
            app.ui.setup.ascii = false;
            let before = drawn(&app);
            app.ui.setup.ascii = true;
            let after = drawn(&app);
            for at in app.ui.screen.positions() {
                let left = at.x.checked_sub(1).map(|x| before[(x, at.y)].symbol());
                let (before, after) = (before[at].symbol(), after[at].symbol());
                assert!(after.is_ascii(), "{} {size:?}: {after} at {at}", scene.name);
                // Comparisons such as `≤` need a second character, in place of the space after them.
                let is_second =
                    matches!(left, Some("≤" | "≥" | "≠")) && (before, after) == (" ", "=");
                let is_changed = after != before && !is_second;
                assert!(!is_changed || !before.is_ascii(), "{}: {before} {after}", scene.name);
                assert!(after != " " || before == " ", "{}: {before} is lost", scene.name);
            }
        }
    }
}

/// Without colours, a modifier or the marker `▸` replaces each background colour that has a meaning.
#[test]
fn colour_is_never_the_only_cue() {
    for scene in scenes::all() {
        let mut app = scene.at(scene.size);
        app.ui.setup.theme = Theme::of(Name::Dark, Depth::TrueColor);
        let (theme, colored) = (app.ui.setup.theme.clone(), drawn(&app));
        app.ui.setup.theme = Theme::of(Name::Dark, Depth::None);
        let plain = drawn(&app);
        let backgrounds = [theme.chosen, theme.pattern, theme.next, theme.candidate, theme.driven];
        for at in app.ui.screen.positions() {
            let has_background = backgrounds.iter().any(|style| style.bg == Some(colored[at].bg));
            let row: String =
                rows_of(&plain, Rect { y: at.y, height: 1, ..app.ui.screen }).concat();
            let marked = plain[at].modifier != Modifier::empty() || row.contains('▸');
            assert!(!has_background || marked, "{}: {at}", scene.name);
        }
    }
}
