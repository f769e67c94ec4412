//! The pages of the inspector, marks of changed values, and two agents side by side.

use ratatui::layout::Rect;
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::values::ValueList;
use tilewalk::tui::tab::{self, Tab};

use crate::support::build;
use crate::support::sample_maps::{craft, dark_theme, map_screen};
use crate::support::scene::Scene;
use crate::support::screen::{
    Look, drawn, dump, go_to, press, rows_of, settle, shipped, type_text,
};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Returns a screen for each kind of agent, with a name. Walkers on each kind of pattern and a vehicle are
/// at frame 12, a craft is at frame 48, and an agent with modes is at the frame of a mode change.
fn agents_of_each_kind(size: (u16, u16)) -> Vec<(&'static str, App)> {
    let on_stage = |agent: usize| {
        let mut app = map_screen(size.0, size.1);
        press(&mut app, &vec![Key::Tab; agent]);
        type_text(&mut app, ">..");
        app
    };
    let mut sailing =
        App::new(vec![], Start::Map(craft()), Rect::new(0, 0, size.0, size.1), dark_theme()).0;
    type_text(&mut sailing, ">>>>........");
    let mut castle = shipped("castle", size);
    go_to(&mut castle, 0);
    type_text(&mut castle, ":break guard.mode == \"chase\"");
    press(&mut castle, &[Key::Enter]);
    type_text(&mut castle, "c");
    vec![
        ("path", on_stage(0)),
        ("matrix", on_stage(1)),
        ("steps", on_stage(2)),
        ("vehicle", on_stage(3)),
        ("craft", sailing),
        ("rules", castle),
    ]
}

/// At a mode change, the first page shows the previous mode and the condition without scrolling.
#[test]
fn the_first_inspector_page_shows_why_the_mode_changed() {
    let (_, mut castle) = agents_of_each_kind((80, 24)).pop().unwrap();
    settle(&mut castle);
    let shown = dump(&castle);
    for text in ["previous mode patrol", "sees(thief): yes (range 5.7 of 9)"] {
        assert!(shown.contains(text), "{shown}");
    }
    type_text(&mut castle, ",");
    assert!(!dump(&castle).contains("previous "), "the mode has not changed yet");
}

/// Pictures of every page of every kind of agent, two agents side by side, and a tile.
pub fn scenes() -> Vec<Scene> {
    let mut scenes = vec![];
    for (index, (kind, _)) in agents_of_each_kind((40, 12)).into_iter().enumerate() {
        for tab in Tab::ALL.into_iter().skip(1) {
            let make = move |size| {
                let (_, mut app) = agents_of_each_kind(size).swap_remove(index);
                type_text(&mut app, &(tab as usize + 1).to_string());
                assert_eq!(app.map().inspector.tab, tab);
                app
            };
            let name = format!("tab_{kind}_{}", tab.word());
            scenes.push(Scene::new(&name, (120, 40), make).inspector());
        }
    }
    let compared = |keys: &'static str| {
        move |(width, height)| {
            let mut app = map_screen(width, height);
            type_text(&mut app, "v");
            press(&mut app, &[Key::Tab, Key::Tab]);
            type_text(&mut app, ">..");
            press(&mut app, &vec![Key::Tab; keys.len()]);
            type_text(&mut app, keys);
            app
        }
    };
    for (name, keys) in [("walkers", ""), ("bodies", "2"), ("ledgers", "3")] {
        let name = format!("compare_{name}");
        scenes.push(Scene::new(&name, (120, 40), compared(keys)).inspector());
    }
    scenes.push(
        Scene::new("tile", (120, 40), |(width, height)| {
            let mut app = map_screen(width, height);
            type_text(&mut app, ">..");
            let session = &mut app.map_mut().session;
            let tile = session.world().tile(tilewalk::id::AgentId(0));
            session.look_at(Some(tile));
            app
        })
        .inspector(),
    );
    scenes
}

#[test]
fn inspector_pages_are_selected_by_keys_commands_and_clicks() {
    let mut app = map_screen(80, 24);
    type_text(&mut app, "}}");
    assert_eq!(app.map().inspector.tab, Tab::ForceBreakdown);
    type_text(&mut app, "{{{");
    assert_eq!(app.map().inspector.tab, Tab::Events);
    type_text(&mut app, ":mind");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.map().inspector.tab, Tab::Modes);
    for wanted in Tab::ALL {
        let area = app.layout().inspector;
        let strip = tab::strip(app.map().inspector.tab, area.width - 2);
        let (_, x, _) = strip.iter().find(|(tab, ..)| *tab == wanted).unwrap();
        app.update(Input::Click(Cell { x: area.x + 1 + x, y: area.bottom() - 1 }));
        assert_eq!(app.map().inspector.tab, wanted);
    }
    // Selecting a page returns from the tile to the agent.
    app.map_mut().session.look_at(Some(tilewalk::geom::TilePos::new(9, 9)));
    assert!(dump(&app).contains("tile (9, 9)"));
    type_text(&mut app, "2");
    assert!(dump(&app).contains("[body]"));
}

#[test]
fn every_inspector_page_scrolls_to_its_end() {
    for (kind, mut app) in agents_of_each_kind(SIZES[0]) {
        for tab in Tab::ALL {
            type_text(&mut app, &(tab as usize + 1).to_string());
            assert_eq!(app.map().inspector.scroll, 0);
            let max_scroll = app.map().longest_scroll(&app.ui);
            press(&mut app, &[Key::PageDown; 40]);
            assert_eq!(app.map().inspector.scroll, max_scroll, "{kind}: {tab:?}");
            assert!(max_scroll == 0 || dump(&app).contains(" end "), "{kind}: {tab:?}");
        }
    }
}

#[test]
fn the_inspector_marks_only_changed_values() {
    // The guard takes a step every four frames.
    let mut app = map_screen(120, 40);
    type_text(&mut app, " 2");
    let mut moved = Vec::new();
    for frame in 1..=8 {
        type_text(&mut app, ".");
        let line = dump(&app).lines().find(|line| line.contains("│ at")).unwrap().to_owned();
        if line.contains("at      •") {
            moved.push(frame);
        }
    }
    assert_eq!(moved, [4, 8]);
    // In ASCII, the mark is another character in the same place.
    app.ui.setup.ascii = true;
    assert!(dump(&app).contains("at      :("), "{}", dump(&app));
}

#[test]
fn inspector_pages_are_the_same_after_stepping_forward_and_back() {
    for (kind, mut app) in agents_of_each_kind(SIZES[1]) {
        let pages = |app: &mut App| {
            let page = |tab: Tab| {
                type_text(app, &(tab as usize + 1).to_string());
                settle(app);
                app.ui.answers.message = None;
                dump(app)
            };
            Tab::ALL.map(page)
        };
        let first = pages(&mut app);
        type_text(&mut app, "...,,,");
        let last = pages(&mut app);
        for (one, other) in first.iter().zip(&last) {
            // The rows below also show how far the run is simulated, so they differ.
            let upper_rows =
                |text: &str| -> Vec<String> { text.lines().take(36).map(str::to_owned).collect() };
            assert_eq!(upper_rows(one), upper_rows(other), "{kind}");
        }
    }
}

#[test]
fn an_agent_stays_pinned_until_it_is_unpinned_or_missing_from_the_map() {
    let mut app = map_screen(200, 60);
    press(&mut app, &[Key::Tab]);
    type_text(&mut app, "v");
    assert!(
        dump(&app).contains("ogre pinned"),
        "an agent is not compared with itself: {}",
        dump(&app)
    );
    press(&mut app, &[Key::Tab]);
    assert!(dump(&app).contains("ploughman ≠ ogre"));
    // A sign marks the pinned agent in the list of agents and on the map.
    assert!(dump(&app).contains("◈O ogre") && dump(&app).contains("O◈"), "{}", dump(&app));
    type_text(&mut app, ">,..,r");
    assert!(dump(&app).contains("ploughman ≠ ogre"));
    app.opened(Ok(crate::support::sample_maps::opened()));
    assert!(dump(&app).contains("ploughman ≠ ogre"), "by name: {}", dump(&app));
    let mut opened = crate::support::sample_maps::opened();
    let mut scenario = (*opened.scenario).clone();
    build::edit(&mut scenario, |parts| parts.kinds[1].name = "troll".to_owned());
    opened.scenario = scenario.into();
    app.opened(Ok(opened));
    assert!(!dump(&app).contains('≠'), "no agent of that name: {}", dump(&app));
    type_text(&mut app, ":pin guard");
    press(&mut app, &[Key::Enter]);
    assert!(dump(&app).contains("ploughman ≠ guard"));
    type_text(&mut app, "v");
    assert!(!dump(&app).contains('≠'));
}

#[test]
fn the_inspector_page_of_a_tile_lists_agents_that_will_cross_it() {
    let mut app = shipped("couriers", SIZES[2]);
    go_to(&mut app, 40);
    let session = &mut app.map_mut().session;
    let world = session.world();
    let ahead = world.ids().find_map(|id| world.ahead(id).nth(1).map(|tile| (id, tile)));
    let (id, tile) = ahead.expect("a travelling agent");
    let name = session.scenario().name(id).to_string();
    session.look_at(Some(tile));
    let text = dump(&app);
    assert!(text.contains(&format!("{name}, in 2 steps")), "{text}");
}

/// On a wide screen, the inspector shows the next pages beside the selected one. Values on each page
/// can be clicked.
#[test]
fn a_wide_inspector_shows_several_pages_side_by_side() {
    for (width, count) in [(80, 1), (100, 1), (120, 2), (200, 3), (300, 3)] {
        let mut app = shipped("yard", (width, 60));
        settle(&mut app);
        press(&mut app, &[Key::Enter]);
        let text = dump(&app);
        let headings = ["why ──", "body ──", "forces ──"].map(|heading| text.contains(heading));
        let expected = if count == 1 { [false; 3] } else { [true, true, count > 2] };
        assert_eq!(headings, expected, "{width}:\n{text}");
    }
    let mut app = shipped("yard", (200, 60));
    settle(&mut app);
    press(&mut app, &[Key::Enter, Key::Char('6')]);
    let wide = dump(&app);
    let order = ["plots ──", "events ──", "why ──"].map(|heading| wide.find(heading).unwrap());
    assert!(order.is_sorted(), "{wide}");
    press(&mut app, &[Key::Char('1')]);
    let text = dump(&app);
    // The speed limit is on the second page.
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains("limits")).unwrap();
    let (before, _) = line.rsplit_once("speed ≤ ").unwrap();
    let x = before.chars().count() as u16 + 8;
    app.update(Input::Click(Cell { x, y: row as u16 }));
    app.update(Input::Release);
    assert!(app.map().popup::<ValueList>().is_some(), "{text}");
    assert!(dump(&app).contains("▸ body.max_speed"), "{}", dump(&app));
}

#[test]
fn plots_appear_at_the_minimum_pane_width_stated_by_the_plots_page() {
    let at = |width: u16, frames: &str| {
        let mut app = map_screen(width, 40);
        type_text(&mut app, &format!(" 6{frames}"));
        let rows = rows_of(&drawn(&app), app.layout().inspector);
        (app.layout().inspector.width, rows.concat())
    };
    let wide = at(200, "").1;
    let (_, after) = wide.split_once("plots need 2 frames and ").expect("no plots at frame 0");
    let minimum: u16 = after.split(' ').next().unwrap().parse().unwrap();
    let shown = (30..200).map(|width| at(width, "....")).find(|(_, page)| page.contains("last 0."));
    assert_eq!(shown.map(|(width, _)| width), Some(minimum));
}
