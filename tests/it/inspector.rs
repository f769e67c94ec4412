//! The pages of the inspector, what they mark, and two agents beside each other.

use ratatui::layout::Rect;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::{App, Mode};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::tab::{self, Tab};
use tilewalk::tui::{Opened, Start};

use crate::stage::{colors, craft, dump, press, settle, watching};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// A built-in map, paused at frame 0.
pub fn shipped(map: &str, (width, height): (u16, u16)) -> App {
    let origin = tilewalk::builtin::origin(map);
    let scenario = files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let opened = Opened::new(map, &format!("{map}.toml"), scenario);
    let screen = Rect::new(0, 0, width, height);
    let mut app = App::new(vec![], Start::Map(opened), screen, colors()).0;
    keys(&mut app, " ");
    app
}

pub fn keys(app: &mut App, keys: &str) {
    press(app, &keys.chars().map(Key::Char).collect::<Vec<_>>());
}

/// Goes to a frame, however long that takes.
pub fn go_to(app: &mut App, frame: u64) {
    keys(app, &format!(":goto {frame}"));
    press(app, &[Key::Enter]);
    settle(app);
}

fn text(app: &App) -> String {
    dump(app).split("---\n").next().unwrap().to_owned()
}

fn check(name: &str, app: &App) {
    let (width, height) = (app.screen.width, app.screen.height);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), dump(app));
    });
}

/// Somebody of every sort, twelve frames on: a vehicle, walkers on each kind of pattern, a craft, and
/// one with rules at the frame in which one of them changes its mode.
fn everybody(size: (u16, u16)) -> Vec<(&'static str, App)> {
    let on_stage = |agent: usize| {
        let mut app = watching(size.0, size.1);
        press(&mut app, &vec![Key::Tab; agent]);
        keys(&mut app, ">..");
        app
    };
    let mut sailing =
        App::new(vec![], Start::Map(craft()), Rect::new(0, 0, size.0, size.1), colors()).0;
    keys(&mut sailing, ">>>>........");
    let mut castle = shipped("castle", size);
    go_to(&mut castle, 0);
    keys(&mut castle, ":break guard.mode == \"chase\"");
    press(&mut castle, &[Key::Enter]);
    keys(&mut castle, "c");
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
    assert!(shown.contains("previous mode patrol  sees(thief): yes"), "{shown}");
    keys(&mut castle, ",");
    assert!(!dump(&castle).contains("previous "), "it is in its first mode");
}

#[test]
fn every_page_of_everybody() {
    for size in SIZES {
        for (who, mut app) in everybody(size) {
            // On other sizes than the middle one those who have most to tell.
            if size != SIZES[1] && !matches!(who, "vehicle" | "rules") {
                continue;
            }
            for tab in Tab::ALL.into_iter().skip(1) {
                keys(&mut app, &(tab as usize + 1).to_string());
                assert_eq!(app.reader.tab, tab);
                check(&format!("tab_{who}_{}", tab.word()), &app);
            }
        }
    }
}

#[test]
fn pages_are_gone_through_by_keys_names_and_clicks() {
    let mut app = watching(80, 24);
    keys(&mut app, "}}");
    assert_eq!(app.reader.tab, Tab::Ledger);
    keys(&mut app, "{{{");
    assert_eq!(app.reader.tab, Tab::Events);
    keys(&mut app, ":mind");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.reader.tab, Tab::Mind);
    for wanted in Tab::ALL {
        let area = app.layout().inspector;
        let strip = tab::strip(app.reader.tab, area.width - 2);
        let (_, x, _) = strip.iter().find(|(tab, ..)| *tab == wanted).unwrap();
        app.update(Input::Click(Cell { x: area.x + 1 + x, y: area.bottom() - 1 }));
        assert_eq!(app.reader.tab, wanted);
    }
    // A page is about an agent: it leaves the tile.
    app.session.as_mut().unwrap().look_at(Some(tilewalk::geom::TilePos::new(9, 9)));
    assert!(text(&app).contains("tile (9, 9)"));
    keys(&mut app, "2");
    assert!(text(&app).contains("[body]"));
}

#[test]
fn every_page_scrolls_to_its_end() {
    for (who, mut app) in everybody(SIZES[0]) {
        for tab in Tab::ALL {
            keys(&mut app, &(tab as usize + 1).to_string());
            assert_eq!(app.reader.scroll, 0);
            let most = app.longest_scroll();
            press(&mut app, &[Key::PageDown; 40]);
            assert_eq!(app.reader.scroll, most, "{who}: {tab:?}");
            assert!(most == 0 || text(&app).contains(" end "), "{who}: {tab:?}");
        }
    }
}

#[test]
fn who_stands_has_no_mark_and_who_moves_has() {
    // The guard takes a step every four frames.
    let mut app = watching(120, 40);
    keys(&mut app, " 2");
    let mut moved = Vec::new();
    for frame in 1..=8 {
        keys(&mut app, ".");
        let line = text(&app).lines().find(|line| line.contains("│ at")).unwrap().to_owned();
        if line.contains("at      •") {
            moved.push(frame);
        }
    }
    assert_eq!(moved, [4, 8]);
    // Signs that stay where they are in a terminal without colours or Unicode.
    app.setup.ascii = true;
    assert!(text(&app).contains("at      :("), "{}", text(&app));
}

#[test]
fn a_frame_is_told_the_same_however_one_comes_to_it() {
    for (who, mut app) in everybody(SIZES[1]) {
        let pages = |app: &mut App| {
            let page = |tab: Tab| {
                keys(app, &(tab as usize + 1).to_string());
                settle(app);
                app.answers.message = None;
                text(app)
            };
            Tab::ALL.map(page)
        };
        let first = pages(&mut app);
        keys(&mut app, "...,,,");
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
fn two_agents_beside_each_other() {
    for size in SIZES {
        let mut app = watching(size.0, size.1);
        keys(&mut app, "v");
        press(&mut app, &[Key::Tab, Key::Tab]);
        keys(&mut app, ">..");
        check("compare_walkers", &app);
        press(&mut app, &[Key::Tab]);
        keys(&mut app, "2");
        check("compare_bodies", &app);
        keys(&mut app, "3");
        check("compare_ledgers", &app);
    }
}

#[test]
fn who_is_pinned_stays_so_until_let_go() {
    let mut app = watching(200, 60);
    press(&mut app, &[Key::Tab]);
    keys(&mut app, "v");
    assert!(text(&app).contains("ogre pinned"), "nobody is compared with itself: {}", text(&app));
    press(&mut app, &[Key::Tab]);
    assert!(text(&app).contains("ploughman ≠ ogre"));
    // A sign in the table of agents and beside it on the map.
    assert!(text(&app).contains("◈O ogre") && text(&app).contains("O◈"), "{}", text(&app));
    keys(&mut app, ">,..,r");
    assert!(text(&app).contains("ploughman ≠ ogre"));
    app.opened(Ok(crate::stage::opened()));
    assert!(text(&app).contains("ploughman ≠ ogre"), "by name: {}", text(&app));
    let mut opened = crate::stage::opened();
    let mut scenario = (*opened.scenario).clone();
    scenario.kinds[1].name = "troll".to_owned();
    opened.scenario = scenario.into();
    app.opened(Ok(opened));
    assert!(!text(&app).contains('≠'), "nobody of that name: {}", text(&app));
    keys(&mut app, ":pin guard");
    press(&mut app, &[Key::Enter]);
    assert!(text(&app).contains("ploughman ≠ guard"));
    keys(&mut app, "v");
    assert!(!text(&app).contains('≠'));
}

#[test]
fn a_tile_tells_who_is_there_and_who_passes() {
    for size in SIZES {
        let mut app = watching(size.0, size.1);
        keys(&mut app, ">..");
        let tile = app.session.as_ref().unwrap().world().tile(tilewalk::id::AgentId(0));
        app.session.as_mut().unwrap().look_at(Some(tile));
        check("tile", &app);
    }
    let mut app = shipped("couriers", SIZES[2]);
    go_to(&mut app, 40);
    let session = app.session.as_mut().unwrap();
    let world = session.world();
    let ahead = world.ids().find_map(|id| world.ahead(id).nth(1).map(|tile| (id, tile)));
    let (id, tile) = ahead.expect("somebody travels");
    let name = session.scenario().name(id).to_string();
    session.look_at(Some(tile));
    let told = text(&app);
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
    assert!(matches!(app.mode, Mode::Values(_)), "{text}");
    assert!(dump(&app).contains("▸ body.max_speed"), "{}", dump(&app));
}
