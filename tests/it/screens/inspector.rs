//! The pages of the inspector, marks for changes, two agents side by side.

use ratatui::layout::Rect;
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::values::ValueList;
use tilewalk::tui::tab::{self, Tab};

use crate::support::scene::Scene;
use crate::support::screen::Look;
use crate::support::screen::{drawn, dump, go_to, press, rows_of, settle, shipped, typed};
use crate::support::stage::{colors, craft, watching};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Somebody of every sort, twelve frames on: a vehicle, walkers on each kind of pattern, a craft, and
/// one with rules at the frame in which one of them changes its mode.
fn everybody(size: (u16, u16)) -> Vec<(&'static str, App)> {
    let on_stage = |agent: usize| {
        let mut app = watching(size.0, size.1);
        press(&mut app, &vec![Key::Tab; agent]);
        typed(&mut app, ">..");
        app
    };
    let mut sailing =
        App::new(vec![], Start::Map(craft()), Rect::new(0, 0, size.0, size.1), colors()).0;
    typed(&mut sailing, ">>>>........");
    let mut castle = shipped("castle", size);
    go_to(&mut castle, 0);
    typed(&mut castle, ":break guard.mode == \"chase\"");
    press(&mut castle, &[Key::Enter]);
    typed(&mut castle, "c");
    vec![
        ("path", on_stage(0)),
        ("matrix", on_stage(1)),
        ("steps", on_stage(2)),
        ("vehicle", on_stage(3)),
        ("craft", sailing),
        ("rules", castle),
    ]
}

/// Where a rule changed the mode, the first page says which and why, without scrolling.
#[test]
fn the_first_page_tells_why_the_mode_changed() {
    let (_, mut castle) = everybody((80, 24)).pop().unwrap();
    settle(&mut castle);
    let shown = dump(&castle);
    for text in ["previous mode patrol", "sees(thief): yes (range 5.7 of 9)"] {
        assert!(shown.contains(text), "{shown}");
    }
    typed(&mut castle, ",");
    assert!(!dump(&castle).contains("previous "), "it is in its first mode");
}

/// Every page of every kind of agent, two agents side by side, and a tile.
pub fn scenes() -> Vec<Scene> {
    let mut scenes = vec![];
    for (index, (who, _)) in everybody((40, 12)).into_iter().enumerate() {
        for tab in Tab::ALL.into_iter().skip(1) {
            let make = move |size| {
                let (_, mut app) = everybody(size).swap_remove(index);
                typed(&mut app, &(tab as usize + 1).to_string());
                assert_eq!(app.map().inspector.tab, tab);
                app
            };
            let name = format!("tab_{who}_{}", tab.word());
            scenes.push(Scene::new(&name, (120, 40), make).inspector());
        }
    }
    let compared = |keys: &'static str| {
        move |(width, height)| {
            let mut app = watching(width, height);
            typed(&mut app, "v");
            press(&mut app, &[Key::Tab, Key::Tab]);
            typed(&mut app, ">..");
            press(&mut app, &vec![Key::Tab; keys.len()]);
            typed(&mut app, keys);
            app
        }
    };
    for (name, keys) in [("walkers", ""), ("bodies", "2"), ("ledgers", "3")] {
        let name = format!("compare_{name}");
        scenes.push(Scene::new(&name, (120, 40), compared(keys)).inspector());
    }
    scenes.push(
        Scene::new("tile", (120, 40), |(width, height)| {
            let mut app = watching(width, height);
            typed(&mut app, ">..");
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
fn pages_are_gone_through_by_keys_names_and_clicks() {
    let mut app = watching(80, 24);
    typed(&mut app, "}}");
    assert_eq!(app.map().inspector.tab, Tab::ForceBreakdown);
    typed(&mut app, "{{{");
    assert_eq!(app.map().inspector.tab, Tab::Events);
    typed(&mut app, ":mind");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.map().inspector.tab, Tab::Modes);
    for wanted in Tab::ALL {
        let area = app.layout().inspector;
        let strip = tab::strip(app.map().inspector.tab, area.width - 2);
        let (_, x, _) = strip.iter().find(|(tab, ..)| *tab == wanted).unwrap();
        app.update(Input::Click(Cell { x: area.x + 1 + x, y: area.bottom() - 1 }));
        assert_eq!(app.map().inspector.tab, wanted);
    }
    // A page is about an agent: it leaves the tile.
    app.map_mut().session.look_at(Some(tilewalk::geom::TilePos::new(9, 9)));
    assert!(dump(&app).contains("tile (9, 9)"));
    typed(&mut app, "2");
    assert!(dump(&app).contains("[body]"));
}

#[test]
fn every_page_scrolls_to_its_end() {
    for (who, mut app) in everybody(SIZES[0]) {
        for tab in Tab::ALL {
            typed(&mut app, &(tab as usize + 1).to_string());
            assert_eq!(app.map().inspector.scroll, 0);
            let most = app.map().longest_scroll(&app.ui);
            press(&mut app, &[Key::PageDown; 40]);
            assert_eq!(app.map().inspector.scroll, most, "{who}: {tab:?}");
            assert!(most == 0 || dump(&app).contains(" end "), "{who}: {tab:?}");
        }
    }
}

#[test]
fn who_stands_has_no_mark_and_who_moves_has() {
    // The guard takes a step every four frames.
    let mut app = watching(120, 40);
    typed(&mut app, " 2");
    let mut moved = Vec::new();
    for frame in 1..=8 {
        typed(&mut app, ".");
        let line = dump(&app).lines().find(|line| line.contains("│ at")).unwrap().to_owned();
        if line.contains("at      •") {
            moved.push(frame);
        }
    }
    assert_eq!(moved, [4, 8]);
    // Signs that stay where they are in a terminal without colours or Unicode.
    app.ui.setup.ascii = true;
    assert!(dump(&app).contains("at      :("), "{}", dump(&app));
}

#[test]
fn a_frame_is_told_the_same_however_one_comes_to_it() {
    for (who, mut app) in everybody(SIZES[1]) {
        let pages = |app: &mut App| {
            let page = |tab: Tab| {
                typed(app, &(tab as usize + 1).to_string());
                settle(app);
                app.ui.answers.message = None;
                dump(app)
            };
            Tab::ALL.map(page)
        };
        let first = pages(&mut app);
        typed(&mut app, "...,,,");
        let last = pages(&mut app);
        for (one, other) in first.iter().zip(&last) {
            // The timeline tells how far the run has come.
            let told =
                |text: &str| -> Vec<String> { text.lines().take(36).map(str::to_owned).collect() };
            assert_eq!(told(one), told(other), "{who}");
        }
    }
}

#[test]
fn who_is_pinned_stays_so_until_let_go() {
    let mut app = watching(200, 60);
    press(&mut app, &[Key::Tab]);
    typed(&mut app, "v");
    assert!(
        dump(&app).contains("ogre pinned"),
        "an agent is not compared with itself: {}",
        dump(&app)
    );
    press(&mut app, &[Key::Tab]);
    assert!(dump(&app).contains("ploughman ≠ ogre"));
    // A sign in the table of agents and beside it on the map.
    assert!(dump(&app).contains("◈O ogre") && dump(&app).contains("O◈"), "{}", dump(&app));
    typed(&mut app, ">,..,r");
    assert!(dump(&app).contains("ploughman ≠ ogre"));
    app.opened(Ok(crate::support::stage::opened()));
    assert!(dump(&app).contains("ploughman ≠ ogre"), "by name: {}", dump(&app));
    let mut opened = crate::support::stage::opened();
    let mut scenario = (*opened.scenario).clone();
    scenario.kinds[1].name = "troll".to_owned();
    opened.scenario = scenario.into();
    app.opened(Ok(opened));
    assert!(!dump(&app).contains('≠'), "no agent of that name: {}", dump(&app));
    typed(&mut app, ":pin guard");
    press(&mut app, &[Key::Enter]);
    assert!(dump(&app).contains("ploughman ≠ guard"));
    typed(&mut app, "v");
    assert!(!dump(&app).contains('≠'));
}

#[test]
fn a_tile_tells_who_is_there_and_who_passes() {
    let mut app = shipped("couriers", SIZES[2]);
    go_to(&mut app, 40);
    let session = &mut app.map_mut().session;
    let world = session.world();
    let ahead = world.ids().find_map(|id| world.ahead(id).nth(1).map(|tile| (id, tile)));
    let (id, tile) = ahead.expect("somebody travels");
    let name = session.scenario().name(id).to_string();
    session.look_at(Some(tile));
    let told = dump(&app);
    assert!(told.contains(&format!("{name}, in 2 steps")), "{told}");
}

/// An inspector that has a wide screen shows the next pages beside the chosen one; each is the page
/// it would be alone, and what is clicked there is what is told there.
#[test]
fn a_wide_inspector_has_pages_beside_each_other() {
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
    // The limit of the speed, in the second page.
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains("limits")).unwrap();
    let (before, _) = line.rsplit_once("speed ≤ ").unwrap();
    let x = before.chars().count() as u16 + 8;
    app.update(Input::Click(Cell { x, y: row as u16 }));
    app.update(Input::Release);
    assert!(app.map().popup::<ValueList>().is_some(), "{text}");
    assert!(dump(&app).contains("▸ body.max_speed"), "{}", dump(&app));
}

#[test]
fn the_plots_page_names_the_narrowest_pane() {
    let at = |width: u16, frames: &str| {
        let mut app = watching(width, 40);
        typed(&mut app, &format!(" 6{frames}"));
        let rows = rows_of(&drawn(&app), app.layout().inspector);
        (app.layout().inspector.width, rows.concat())
    };
    let wide = at(200, "").1;
    let (_, after) = wide.split_once("plots need 2 frames and ").expect("no plots at frame 0");
    let least: u16 = after.split(' ').next().unwrap().parse().unwrap();
    let shown = (30..200).map(|width| at(width, "....")).find(|(_, page)| page.contains("last 0."));
    assert_eq!(shown.map(|(width, _)| width), Some(least));
}
