//! Agents on a cropped map move like those on the whole map, with all positions shifted.

use std::fs;
use std::sync::Arc;

use tilewalk_files::write::shrink::{Freeze, ShrinkDraft, Side, expect_table};
use tilewalk_files::{Options, Origin};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::judge::judge;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step;
use tilewalk_sim::world::World;

/// Number of unused columns at the left and unused rows at the top.
const MARGIN: (usize, usize) = (6, 5);

/// A map with all keys that contain coordinates. All coordinates are right of and below the margin.
const MAP: &str = "\
[places]
post = [20, 9]
spot = [22.5, 13.25]

[[obstacle]]
at = [16.5, 8.5]
radius = 0.4

[[wall]]
from = [12.25, 6.5]
to   = [14.75, 9.0]

[[wall]]
points = [[26.5, 6.5], [28.5, 7.0], [28.5, 9.5]]

[[agent]]
name = 'seeker'
at = [8, 7]
steer = [{ do = 'avoid_obstacles' }, { do = 'seek', target = [24, 8] }]

[[agent]]
name = 'arriver'
at = [8.25, 11.75]
steer = [{ do = 'avoid_walls' }, { do = 'arrive', target = 'spot' }, { do = 'tether', to = [15.5, 9.5], radius = 9 }]

[[agent]]
name = 'between'
at = { within = [18, 15, 22, 18] }
steer = [{ do = 'interpose', between = [[10, 16], 'arriver'] }]

[[agent]]
name = 'hider'
at = [18, 8]
steer = [{ do = 'hide', from = [22, 8] }]

[[agent]]
name = 'turner'
at = [9, 15]
steer = [{ do = 'face', target = [15, 18] }, { do = 'align', to = 20, weight = 0.5 }]

[[agent]]
name = 'flowing'
at = [7, 18]
steer = [{ do = 'flow', to = [30, 18] }]

[[agent]]
name = 'following'
at = [8, 20]
steer = [{ do = 'follow_path', points = [[9, 20], [14, 21], [20, 19]] }]

[[agent]]
name = 'staying'
at = [10, 10]
steer = [{ do = 'stay_on_path', pattern = 'relative', offset = [11, 12] }, { do = 'seek', target = [13, 16] }]

[[agent]]
name = 'wing'
at = [9, 9]
steer = [{ do = 'offset_pursue', leader = 'seeker', offset = [-1.0, 1.0] }]

[[agent]]
name = 'traveller'
at = [7, 13]
travel = [29, 15]

[[agent]]
name = 'chaser'
at = [30, 20]
chase = [12, 17]

[[agent]]
name = 'coward'
at = [20, 12]
flee_tiles = [19, 12]

[[agent]]
name = 'patrol'
at = [8, 16]
pattern = 'absolute'

[[agent]]
name = 'second'
at = [24, 18]
pattern = 'relative'
offset = [25, 16]

[[agent]]
name = 'maze'
at = [20, 20]
pattern = 'segments'

[[agent]]
name = 'cells'
at = [9, 7]
pattern = 'cells'

[[agent]]
name = 'switcher'
at = [8, 21]
remove = 'x > 27.5 and tile_y >= 20'
[[agent.mode]]
name = 'out'
travel = [28, 21]
switch = [{ when = 'switcher.x > 18 and in([18, 20, 22, 23]) and distance([20, 21]) < 3', to = 'side' }]
[[agent.mode]]
name = 'side'
travel = 'post'
switch = [{ when = 'tile_y < 13', to = 'out' }, { when = 'y < 14', to = 'out' }]

[[agent]]
name = 'drone'
template = true
max = 4
at = [25, 12]
steer = [{ do = 'seek', target = 'post' }]

[[spawn]]
agent = 'drone'
every = 1.0
at = { within = [24, 11, 27, 13] }
when = 'seeker.x + 1 > 10'

[[on]]
signal = 'fire'
spawn = 'drone'
lifetime = 1.0

[[expect]]
name = 'e'
never = 'seeker.x > 23 and in(seeker, [20, 6, 26, 10])'
duration = 30
";

const PATTERNS: [(&str, &str); 4] = [
    (
        "absolute",
        "kind = 'path'\nabsolute = true\nclosed = true\nvertices = [[8, 16], [13, 16], [13, 19]]\n",
    ),
    ("relative", "kind = 'path'\nvertices = [[1, 1], [4, 1], [4, 3]]\n"),
    (
        "segments",
        "kind = 'matrix'\nabsolute = true\nsegments = [[[18, 20], [26, 20]], [[22, 18], [22, 22]]]\n",
    ),
    (
        "cells",
        "kind = 'matrix'\nabsolute = true\ncells = '''\n................\n................\n................\n................\n................\n................\n.......111......\n.......1.1......\n.......111......\n'''\n",
    ),
];

fn scenario(map: &str) -> Arc<Scenario> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.toml");
    let mut rows = String::from("seed = 4\ntiles = '''\n");
    for y in 0..26 {
        let row = (0..34).map(|x| {
            if x > 31 || y > 23 || (x, y) == (21, 10) || (y == 14 && x > 26) { '#' } else { '.' }
        });
        rows.extend(row.chain(['\n']));
    }
    fs::write(&path, rows + "'''\n" + map).unwrap();
    for (name, text) in PATTERNS {
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let loaded = tilewalk_files::load(&Origin::Disk(path), &Options::default()).unwrap();
    assert_eq!(loaded.report.errors(), 0, "{}", loaded.report.plain());
    loaded.scenario.unwrap()
}

#[test]
fn agents_on_a_cropped_map_move_like_on_the_whole_map() {
    let whole = scenario(MAP);
    let table = expect_table(&whole, 0, whole.seed()).unwrap();
    let draft = ShrinkDraft::new(&whole, &table, Freeze::Single).unwrap();
    let load = |draft: &ShrinkDraft| ShrinkDraft::load(&draft.text(None).unwrap()).unwrap();
    let frozen = load(&draft);
    for (left, top, right, bottom) in
        [(0, 0, 0, 0), (0, 0, 2, 2), (6, 0, 0, 0), (0, 5, 0, 1), (6, 5, 2, 2)]
    {
        assert!(left <= MARGIN.0 && top <= MARGIN.1);
        let sides =
            [(Side::Left, left), (Side::Top, top), (Side::Right, right), (Side::Bottom, bottom)];
        let cropped = sides
            .iter()
            .fold(draft.clone(), |draft, &(side, count)| draft.cropped(side, count).unwrap());
        assert!(cropped.contains_all_coordinates());
        let text = cropped.text(None).unwrap();
        let cropped = load(&cropped);
        let mut worlds = [&whole, &frozen, &cropped].map(|it| World::new(Arc::clone(it)));
        let corner = Vec2::new(left as f32, top as f32);
        let mut in_side_mode = 0;
        // In later frames, two opposed behaviours amplify the rounding of the shifted positions.
        for frame in 0..160 {
            let [whole, frozen, cropped] = &worlds;
            assert_eq!(whole.ids().count(), cropped.ids().count(), "frame {frame}\n{}", text.map);
            for (id, moved) in whole.ids().zip(cropped.ids()) {
                let name = whole.name(id).to_string();
                assert_eq!(name, cropped.name(moved).to_string());
                let mode = &whole.mode(id).name;
                assert_eq!(*mode, cropped.mode(moved).name, "frame {frame}: {name}");
                in_side_mode += usize::from(*mode == "side");
                assert!((whole.position(id) - frozen.position(id)).length() < 0.01, "{name}");
                let error = (cropped.position(moved) + corner - whole.position(id)).length();
                assert!(error < 0.01, "frame {frame}: {name} is off by {error}\n{}", text.map);
            }
            worlds.iter_mut().for_each(step::step);
        }
        assert!(in_side_mode > 0, "the transition was not tested");
        let verdicts = [&whole, &cropped].map(|it| judge(it, 0).unwrap().verdict);
        assert_eq!(verdicts[0], verdicts[1]);
    }
}

/// The cells of the matrix `cells` begin in row 6, so at most six rows can be cropped at the top.
#[test]
fn a_map_is_not_cropped_beyond_the_first_used_cells_of_a_matrix() {
    let whole = scenario(MAP);
    let table = expect_table(&whole, 0, whole.seed()).unwrap();
    let draft = ShrinkDraft::new(&whole, &table, Freeze::Single).unwrap();
    assert!(draft.cropped(Side::Top, 6).unwrap().text(None).is_some());
    let cropped = draft.cropped(Side::Top, 7).unwrap();
    assert!(!cropped.contains_all_coordinates());
    assert!(cropped.text(None).is_none());
    assert!(draft.cropped(Side::Top, 26).is_none());
}
