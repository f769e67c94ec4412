//! Reads map files.

use std::sync::Arc;

use crate::formats;
use crate::formats::tiled::{Drawing, DrawnPlace, Rules};
use crate::formats::{FORMATS, LevelOptions, listed};
use crate::keys::map::{MAP, PLACES};
use crate::keys::words::{CORNERS, EDGES};
use crate::read::agent::{self, AgentDraft, StartRule};
use crate::read::expect::{Expectations, Scene};
use crate::read::known_modes::KnownModes;
use crate::read::obstacle::{self, WallList};
use crate::read::pattern_file::{Library, Shared};
use crate::read::steer::SteerContext;
use crate::read::target::{self, AgentIndex, Targets};
use crate::read::{lint, spawn, start_positions};
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::{self, NameKind, Names};
use crate::text::reader::{Entry, TableReader, document};
use crate::tiles::legend::Legend;
use crate::tiles::rows;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;
use tilewalk_sim::pattern::Pattern;
use tilewalk_sim::scenario::Place;
use tilewalk_sim::scenario::parts::ScenarioParts;

/// A scenario, and facts about the map file that are not part of the scenario.
#[derive(Debug)]
pub struct MapFile {
    pub scenario: ScenarioParts,
    /// Start rule of each agent kind.
    pub start_rules: Vec<StartRule>,
    /// Byte offset of each expectation in its file.
    pub expectations: Vec<usize>,
}

/// Parses the text of a map file, which `issues` contains. `seed` replaces the seed in the file;
/// `None` keeps it. Returns `None` if the map or a file that it names has errors.
pub fn read(seed: Option<u64>, issues: &Issues, library: &mut Library) -> Option<MapFile> {
    document(issues.text(), &MAP, issues, |table| {
        crate::text::reader::check_format(&table);
        if table.has("kind") && !table.has("tiles") && !table.has("tiles_file") {
            issues.error(table.span(), "this file is a pattern, not a map: it has the key `kind`");
            return None;
        }
        let title = table.take("title").and_then(|value| value.line()).unwrap_or_default();
        let tick = table.double("tick").unwrap_or(0.05);
        let own_seed = table.integer("seed");
        let seed = seed.unwrap_or(own_seed.unwrap_or(0) as u64);
        let (map, drawn) = read_ground(&table, library);
        let mut names = Names::default();
        let mut places = read_places(table.take("places"), map.as_ref(), &mut names);
        let AgentIndex { heads, ranges, groups } =
            target::read_index(table.take("agent").as_ref(), &mut names);
        add_drawn(&drawn, &mut places, &mut names, issues);
        let targets = Targets {
            names: &names,
            places: &places,
            ranges: &ranges,
            groups: &groups,
            map: map.as_ref(),
        };
        let mut context = SteerContext {
            targets: &targets,
            group: None,
            library,
            map: map.as_ref(),
            paths: Vec::new(),
        };
        let mut drafts: Vec<_> = heads
            .into_iter()
            .zip(&ranges)
            .map(|(head, &range)| agent::read(head, range, &mut context))
            .collect();
        agent::choose_glyphs(&mut drafts);
        let paths = context.paths;
        let ground = spawn::SpawnScene {
            drafts: &drafts,
            targets: &targets,
            map: map.as_ref(),
            tick,
            has_all_patterns: issues.is_sound() && library.report.errors() == 0,
        };
        let spawns = spawn::read(table.take("spawn").as_ref(), table.take("on").as_ref(), ground);
        let known = KnownModes { targets: &targets, drafts: &drafts };
        let kinds = drafts.iter().map(|draft| &draft.kind).collect();
        let scene = Scene { scope: &known, kinds, tick, text: issues.text() };
        let mut expectations = Expectations::new(scene);
        expectations.read(table.take("expect").as_ref(), 0);
        expectations.read_file(library);
        let expectations = expectations.list;
        table.finish();
        let on_map = map.as_ref().filter(|_| !issues.is_partial())?;
        obstacle::check_sizes(&drafts, on_map, issues);
        let placed: Vec<_> = drafts.iter().map(AgentDraft::draft).collect();
        let starts = start_positions::place(&placed, on_map, seed, issues);
        lint::paths(&drafts, &starts, on_map, issues);
        lint::endless(&drafts, issues);
        lint::rules(&known, issues);
        lint::jitter(&drafts, tick, issues);
        let (kinds, start_rules) =
            drafts.into_iter().map(|draft| (draft.kind, draft.start)).unzip();
        let sound = issues.is_sound() && library.report.errors() == 0;
        let title = title.to_owned();
        let sources = Arc::default();
        let (expectations, offsets) = expectations.into_iter().unzip();
        let scenario = ScenarioParts {
            traced: None,
            title,
            tick,
            seed,
            map: Arc::new(map?),
            places,
            kinds,
            starts,
            groups,
            paths,
            spawns,
            expectations,
            sources,
        };
        sound.then_some(MapFile { scenario, start_rules, expectations: offsets })
    })
}

/// Reads the tiles, legend, edges, corners, obstacles and walls of a map. Also returns the places
/// of a Tiled map.
fn read_ground(table: &TableReader, library: &mut Library) -> (Option<Map>, Vec<DrawnPlace>) {
    let edges = table.word("edges", &EDGES).unwrap_or_default();
    let corners = table.word("corners", &CORNERS);
    let legend = table.take("legend");
    let obstacles = table.take("obstacle");
    let walls = table.take("wall");
    let rows = table.take("tiles");
    let file = table.take("tiles_file");
    let rules = table.take("tiled");
    if let Some(rules) = rules.as_ref().filter(|_| file.is_none()) {
        refuse_rules(rules);
    }
    let (mut drawn, mut drawn_walls) = (Vec::new(), Vec::new());
    let (grid, legend) = match (rows, file) {
        (Some(_), Some(file)) => {
            let message = "`tiles` and `tiles_file` can't be used together";
            file.error_at_key(message, "");
            (None, with_entries(Legend::standard(), legend.as_ref()))
        }
        (Some(rows), None) => {
            let legend = with_entries(Legend::standard(), legend.as_ref());
            (read_rows(&rows, &legend), legend)
        }
        (None, Some(file)) => {
            let (drawing, legend) = read_file(&file, legend.as_ref(), rules.as_ref(), library);
            let grid = drawing.map(|drawing| {
                (drawn, drawn_walls) = (drawing.places, drawing.walls);
                drawing.tiles
            });
            (grid, legend)
        }
        (None, None) => {
            let message = "missing `tiles` or `tiles_file`";
            let help = "tiles = '''\n#####\n#...#\n#####\n'''";
            table.issues.push(Diagnostic::error(table.span(), message).help(help));
            (None, with_entries(Legend::standard(), legend.as_ref()))
        }
    };
    let standing = obstacles
        .map_or_else(Vec::new, |list| obstacle::read_obstacles(&list, grid.as_ref(), edges));
    let corners = corners.unwrap_or_default();
    let read_walls = |list: Entry| obstacle::read_walls(&list, grid.as_ref(), edges);
    let mut list = walls.map_or_else(WallList::default, read_walls);
    list.add_drawn(&drawn_walls, table.issues);
    let WallList { walls, names } = list;
    let map = grid.and_then(|grid| Map::new(grid, legend.into_kinds(), standing, edges, corners));
    (map.map(|map| map.with_walls(walls, names)), drawn)
}

fn with_entries(mut legend: Legend, entry: Option<&Entry>) -> Legend {
    if let Some(entry) = entry {
        legend.read(entry);
    }
    legend
}

fn read_rows(rows: &Entry, legend: &Legend) -> Option<Grid<u8>> {
    let text = rows.string()?;
    let locate = |span: std::ops::Range<usize>| {
        let at = rows.locate(span.start);
        at..at + span.len()
    };
    rows::read(text, legend, rows.span(), locate, rows.issues)
}

fn read_file(
    file: &Entry,
    entries: Option<&Entry>,
    rules: Option<&Entry>,
    library: &mut Library,
) -> (Option<Drawing>, Legend) {
    let Some((source, problems, format)) = formats::read(file, library.store) else {
        return (None, with_entries(Legend::standard(), entries));
    };
    let mut legend = with_entries((format.legend)(), entries);
    let rules = match rules {
        Some(entry) if !format.uses_rules => {
            refuse_rules(entry);
            Rules::default()
        }
        Some(entry) => Rules::read(entry, &legend),
        None => Rules::default(),
    };
    let store = library.store.of_tiles_file(file.string().unwrap_or_default());
    let around = (&store, &LevelOptions::default());
    let read = (source, problems);
    let drawing = format.read(read, &rules, &mut legend, around, &mut library.report);
    library.store.add_searched(&store);
    if let Some(drawing) = &drawing {
        rules.report_unused(file.issues);
        for path in &drawing.paths {
            let pattern = Arc::new(Pattern::Path(path.path.clone()));
            library.drawn.insert(path.name.clone(), Shared { pattern, absolute: true });
        }
    }
    (drawing, legend)
}

fn refuse_rules(entry: &Entry) {
    let formats = FORMATS.iter().filter(|format| format.uses_rules);
    let endings = listed(formats, |format| format!("`.{}`", format.extension));
    entry.error_at_key(format!("`tiled` needs a `tiles_file` that ends in {endings}"), "");
}

/// Adds the places of a Tiled map. Skips places whose names the map file already uses.
fn add_drawn<'a>(
    drawn: &'a [DrawnPlace],
    places: &mut Vec<Place>,
    names: &mut Names<'a>,
    issues: &Issues,
) {
    for DrawnPlace { name, at, .. } in drawn {
        if names.get(name).is_none() {
            names.claim(name, NameKind::Place(places.len()), 0..0, issues);
            places.push(Place { name: name.clone(), at: *at });
        }
    }
}

fn read_places<'a>(
    entry: Option<Entry<'a>>,
    map: Option<&Map>,
    names: &mut Names<'a>,
) -> Vec<Place> {
    let mut places = Vec::new();
    let Some(table) = entry.and_then(|entry| entry.table(&PLACES)) else { return places };
    for (name, span, entry) in table.into_entries() {
        let pair = entry.pair();
        if !name::check(name, span.clone(), entry.issues) {
            continue;
        }
        let Some(pair) = pair else { continue };
        if map.is_some_and(|map| !map.tiles().contains(pair.tile())) {
            let message = format!("the place `{name}` is outside the map");
            entry.issues.push(Diagnostic::warning(entry.span(), message));
        }
        names.claim(name, NameKind::Place(places.len()), span, entry.issues);
        places.push(Place { name: name.to_owned(), at: pair.point() });
    }
    places
}
