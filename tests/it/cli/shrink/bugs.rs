//! Maps with planted bugs: a small scene with one bug, in a large map with many other agents.

use std::fmt::Write as _;

/// A scene and the change that plants a bug in it.
pub struct Bug {
    pub name: &'static str,
    /// The tiles of the scene; empty if the scene has only floor.
    tiles: &'static [&'static str],
    /// Text of the map without its tiles. Coordinates such as `@(1, 2)` are relative to the scene.
    text: &'static str,
    /// A row of tiles without and with the bug.
    tile: Option<(&'static str, &'static str)>,
    /// A part of the text without and with the bug.
    change: (&'static str, &'static str),
    /// Text of the pattern file `scene.toml`, with coordinates such as `@(1, 2)`.
    pattern: &'static str,
    /// Whether shrinking needs a map that passes.
    pub needs_passing: bool,
    /// Texts that the shrunk map must still contain.
    pub kept: &'static [&'static str],
}

const NONE: Bug = Bug {
    name: "",
    tiles: &[],
    text: "",
    tile: None,
    change: ("", ""),
    pattern: "",
    needs_passing: false,
    kept: &[],
};

/// Pattern of the agents around the scene.
pub const LAP: &str = "kind = 'path'\nvertices = [[0, 0], [3, 0], [3, 2], [0, 2]]\nclosed = true\n";

const GAP: &[&str] = &[
    "############",
    "#....#.....#",
    "#....#.....#",
    "#..........#",
    "#....#.....#",
    "############",
];

pub const BUGS: [Bug; 20] = [
    Bug {
        name: "a gap closed",
        tiles: GAP,
        tile: Some(("#..........#", "#....#.....#")),
        text: "goal = @(9, 1)\n[[agent]]\nname = 'guard'\nat = @(2, 2)\ntravel = 'goal'
[[expect]]\nname = 'e'\neventually = 'guard.arrived'\nduration = 10\n",
        needs_passing: true,
        kept: &["goal", "#"],
        ..NONE
    },
    Bug {
        name: "a wall in the way of a chase",
        tiles: GAP,
        tile: Some(("#..........#", "#....#.....#")),
        text: "[[agent]]\nname = 'guard'\nat = @(2, 3)\nchase = @(9, 3)
[[expect]]\nname = 'e'\nnever = 'guard.blocked or guard.y < 0'\nduration = 10\n",
        ..NONE
    },
    Bug {
        name: "a sign flipped",
        text: "[[agent]]\nname = 'cat'\nat = @(4, 3)
steer = [{ do = 'seek', target = @(8, 3) }, { do = 'wander', weight = 0.01 }]
[[expect]]\nname = 'e'\neventually = 'distance(cat, @(8, 3)) < 1'\nduration = 4\n",
        change: ("'seek'", "'flee'"),
        needs_passing: true,
        kept: &["flee"],
        ..NONE
    },
    Bug {
        name: "a wrong vertex",
        tiles: &["............", "............", ".......#....", "............", "............"],
        text: "[[agent]]\nname = 'guard'\nat = @(1, 1)\npattern = 'scene'
[[expect]]\nname = 'e'\nalways = 'not guard.blocked and frame >= 0'\nduration = 20\n",
        pattern: "kind = 'path'\nabsolute = true\nclosed = true
vertices = [@(1, 1), @(9, 1), @(9, 4), @(1, 4)]\n",
        change: ("@(9, 1), @(9, 4)", "@(9, 1), @(6, 2), @(9, 2), @(9, 4)"),
        needs_passing: true,
        kept: &["pattern", "#"],
        ..NONE
    },
    Bug {
        name: "a door too narrow",
        tiles: &["######", "#....#", "##.###", "##.###", "#....#", "######"],
        tile: Some(("##.###", "##O###")),
        text: "[[agent]]\nname = 'cat'\nat = @(2, 1)\nbody = { radius = 0.3 }
steer = [{ do = 'seek', target = @(2, 4) }]
[[expect]]\nname = 'e'\neventually = 'in(cat, @(1, 4, 4, 4))'\nduration = 6\n",
        needs_passing: true,
        kept: &["O"],
        ..NONE
    },
    Bug {
        name: "a patrol cut by a free wall",
        text: "[[agent]]\nname = 'guard'\nat = @(1, 1)\npattern = 'scene'
[[wall]]\nfrom = @(3.5, 2.5)\nto = @(5.5, 3.2)
[[expect]]\nname = 'e'\nrepeats = 'in(guard, @(9, 1, 9, 1))'\nevery = 12\nduration = 30\n",
        pattern: "kind = 'path'\nabsolute = true\nclosed = true
vertices = [@(1, 1), @(9, 1), @(9, 4), @(1, 4)]\n",
        change: ("@(3.5, 2.5)\nto = @(5.5, 3.2)", "@(7.5, 0.5)\nto = @(7.5, 5.5)"),
        needs_passing: true,
        kept: &["[[wall]]"],
        ..NONE
    },
    Bug {
        name: "a wrong group",
        text: "[[agent]]\nname = 'red'\ngroup = 'team'\nat = @(3.5, 3.5)
body = { max_speed = 2 }
steer = [{ do = 'separation', of = 'team', weight = 9 }, { do = 'seek', target = @(9.5, 3.5) }]
[[agent]]\nname = 'blue'\ngroup = 'team'\nat = @(7.5, 3.5)
[[agent]]\nname = 'bystander'\ngroup = 'others'\nat = @(2, 1)
[[agent]]\nname = 'bystander2'\ngroup = 'others'\nat = @(2, 5)
[[expect]]\nname = 'e'\nnever = 'gap(red, blue) < 0.2'\nduration = 5\n",
        change: ("of = 'team'", "of = 'others'"),
        ..NONE
    },
    Bug {
        name: "a wrong weight",
        text: "[[agent]]\nname = 'cat'\nat = @(3, 3)\ncombine = 'weighted'
steer = [{ do = 'arrive', target = @(8, 3), weight = 1 }, { do = 'tether', to = @(3, 3), radius = 9 }]
[[expect]]\nname = 'e'\nsettles = 'distance(cat, @(8, 3)) < 1'\nfor = 1\nduration = 8\n",
        change: ("weight = 1 ", "weight = 0.001 "),
        needs_passing: true,
        kept: &["0.001"],
        ..NONE
    },
    Bug {
        name: "a wrong speed",
        text: "[[agent]]\nname = 'cat'\nat = @(2, 3)\nbody = { max_speed = 3, mass = 1.5 }
steer = [{ do = 'seek', target = @(9, 3) }]
[[expect]]\nname = 'e'\nvalue = 'cat.speed'\nbelow = 5\nabove = -1\nduration = 5\n",
        change: ("max_speed = 3", "max_speed = 9"),
        kept: &["max_speed = 9"],
        ..NONE
    },
    Bug {
        name: "a wrong transition",
        text: "[[agent]]\nname = 'thief'\nat = @(9, 3)\ntravel = @(4, 3)
[[agent]]\nname = 'guard'\nat = @(2, 3)
[[agent.mode]]\nname = 'watch'\nswitch = [{ when = 'distance(thief) < 4', to = 'chase' }]
[[agent.mode]]\nname = 'chase'\nchase = 'thief'
[[expect]]\nname = 'e'\nwhen = 'distance(guard, thief) < 4'\nthen = 'guard.mode == \"chase\"'
within = 1\nduration = 10\n",
        change: ("< 4', to", "> 40', to"),
        needs_passing: true,
        kept: &["> 40"],
        ..NONE
    },
    Bug {
        name: "a wrong target",
        text: "first_post = @(3, 1)\nlast_post = @(9, 1)
[[agent]]\nname = 'courier'\nat = @(5, 4)
[[agent.mode]]\nname = 'out'\ntravel = 'first_post'\nswitch = [{ when = 'arrived', to = 'back' }]
[[agent.mode]]\nname = 'back'\ntravel = 'last_post'
[[expect]]\nname = 'e'\nfirst = 'in(courier, first_post)'\nbefore = 'in(courier, last_post)'
duration = 20\n",
        change: ("travel = 'first_post'", "travel = 'last_post'"),
        ..NONE
    },
    Bug {
        name: "a missing behaviour",
        tiles: &["..........", "......####", "......####", "......####", ".........."],
        text: "[[agent]]\nname = 'cat'\nat = @(2, 2)\ncombine = 'prioritized'
steer = [{ do = 'avoid_walls', weight = 30 }, { do = 'seek', target = @(5.2, 2.5) }]
[[expect]]\nname = 'e'\nnever = 'cat.collided'\nduration = 4\n",
        change: (
            "{ do = 'avoid_walls', weight = 30 }, { do = 'seek', target = @(5.2, 2.5) }",
            "{ do = 'seek', target = @(9.2, 2.5) }",
        ),
        ..NONE
    },
    Bug {
        name: "a view too short",
        text: "[[agent]]\nname = 'thief'\nat = @(9, 3)
[[agent]]\nname = 'guard'\nat = @(1, 3)\ntravel = @(4, 3)\nbody = { view = { range = 6 } }
[[expect]]\nname = 'e'\neventually = 'sees(guard, thief)'\nduration = 5\n",
        change: ("range = 6", "range = 3"),
        needs_passing: true,
        kept: &["range = 3"],
        ..NONE
    },
    Bug {
        name: "a turn to the wrong side",
        text: "[[agent]]\nname = 'walker'\nat = @(3, 1)\npattern = 'scene'
[[expect]]\nname = 'e'\nalways = 'in(walker, @(1, 1, 9, 6))'\nduration = 20\n",
        pattern: "kind = 'steps'\nsteps = [{ forward = 3 }, { right = 2, forward = 2 }, { right = 2 },
  { forward = 3 }, { right = 2, forward = 2 }, { right = 2 }]\n",
        change: ("{ right = 2, forward = 2 }", "{ left = 2, forward = 2 }"),
        ..NONE
    },
    Bug {
        name: "an obstacle in a corridor",
        tiles: &["##########", "#........#", "##########"],
        text: "[[agent]]\nname = 'cat'\nat = @(2, 1)\nbody = { radius = 0.4 }
steer = [{ do = 'seek', target = @(8, 1) }]
[[obstacle]]\nat = @(1.5, 1.8)\nradius = 0.3
[[expect]]\nname = 'e'\neventually = 'in(cat, @(7, 1, 8, 1))'\nduration = 6\n",
        change: ("at = @(1.5, 1.8)", "at = @(5.5, 1.5)"),
        needs_passing: true,
        ..NONE
    },
    Bug {
        name: "a crowd without separation",
        text: "[[agent]]\nname = 'herd'\ncount = 8\nat = { within = @(2, 1, 9, 5) }
steer = [{ do = 'separation', of = 'herd', weight = 4 }]
[[expect]]\nname = 'e'\nnever = 'any(a in herd, any(b in herd, a != b and gap(a, b) < 0))'
duration = 10\n",
        change: ("{ do = 'separation', of = 'herd', weight = 4 }", "{ do = 'cohesion', radius = 9 }"),
        kept: &["cohesion"],
        ..NONE
    },
    Bug {
        name: "too many instances",
        text: "[[agent]]\nname = 'drone'\ntemplate = true\nmax = 12\nat = { within = @(2, 1, 6, 5) }
steer = [{ do = 'wander' }]
[[spawn]]\nagent = 'drone'\nevery = 8.0
[[expect]]\nname = 'e'\nvalue = 'count(drone, speed >= 0)'\nbelow = 4\nduration = 20\n",
        change: ("every = 8.0", "every = 0.5"),
        kept: &["[[spawn]]"],
        ..NONE
    },
    Bug {
        name: "a removal that is missing",
        text: "[[agent]]\nname = 'runner'\nat = @(2, 3)\ntravel = @(8, 3)
remove = 'arrived'
[[expect]]\nname = 'e'\neventually = 'not exists(runner)'\nduration = 8\n",
        change: ("'arrived'", "'arrived and speed > 100'"),
        needs_passing: true,
        ..NONE
    },
    Bug {
        name: "a tether too long",
        text: "[[agent]]\nname = 'dog'\nat = @(3, 3)
steer = [{ do = 'tether', to = @(3, 3), radius = 1, weight = 9 }, { do = 'seek', target = @(9, 3) }]
[[expect]]\nname = 'e'\nvalue = 'distance(dog, @(3, 3))'\nbelow = 4\nduration = 10\n",
        change: ("radius = 1,", "radius = 40,"),
        ..NONE
    },
    Bug {
        name: "a walker too slow",
        text: "[[agent]]\nname = 'guard'\nat = @(2, 3)\npace = 4\ntravel = @(9, 3)
[[expect]]\nname = 'e'\neventually = 'in(guard, @(9, 3, 9, 3))'\nduration = 4\n",
        change: ("pace = 4", "pace = 40"),
        needs_passing: true,
        kept: &["40"],
        ..NONE
    },
];

const WIDTH: usize = 104;
const HEIGHT: usize = 62;

/// Size of a scene, with a margin.
const SCENE: (usize, usize) = (12, 8);

/// Returns the texts of the map and of its pattern, with the bug if `is_broken` is true.
pub fn texts(bug: &Bug, number: usize, is_broken: bool) -> (String, Option<String>) {
    let corner = (9 + number * 17 % 75, 6 + number * 11 % 42);
    let mut random = Random(number as u64 + 1);
    let mut rows = vec![vec!['.'; WIDTH]; HEIGHT];
    let is_scene = |x: usize, y: usize| {
        (corner.0..corner.0 + SCENE.0).contains(&x) && (corner.1..corner.1 + SCENE.1).contains(&y)
    };
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, tile) in row.iter_mut().enumerate() {
            let is_border = x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1;
            *tile = match random.below(40) {
                _ if is_border => '#',
                _ if is_scene(x, y) => '.',
                0 | 1 => '#',
                2 => 'T',
                3 => ',',
                _ => '.',
            };
        }
    }
    let (right, wrong) = bug.tile.unwrap_or_default();
    for (y, line) in bug.tiles.iter().enumerate() {
        let line = if is_broken && *line == right { wrong } else { line };
        for (x, tile) in line.chars().enumerate() {
            rows[corner.1 + y][corner.0 + x] = tile;
        }
    }
    let mut text = String::from("title = 'A large map'\nseed = 3\ntiles = '''\n");
    for row in &rows {
        let _ = writeln!(text, "{}", row.iter().collect::<String>());
    }
    let change = |text: &str| {
        let wrong = text.replace(bug.change.0, bug.change.1);
        if is_broken && !bug.change.0.is_empty() { wrong } else { text.to_owned() }
    };
    text.push_str("'''\n[places]\nnorth_post = [50, 3]\n");
    let scene = moved(&change(bug.text), corner);
    let (scene, expectation) = scene.split_at(scene.find("[[expect]]").unwrap());
    text.push_str(scene);
    for index in 0..40 {
        let (x, y) = loop {
            let (x, y) = (1 + random.below(97), 1 + random.below(55));
            let is_far = x + 5 < corner.0
                || y + 5 < corner.1
                || x > corner.0 + SCENE.0 + 2
                || y > corner.1 + SCENE.1 + 2;
            if is_far && rows[y][x] == '.' {
                break (x, y);
            }
        };
        let _ = write!(text, "\n[[agent]]\nname = 'extra_{index}'\nat = [{x}, {y}]\n");
        text.push_str(match index % 4 {
            0 => "steer = [{ do = 'avoid_walls' }, { do = 'wander' }]\n",
            1 => "travel = 'north_post'\n",
            2 => "pattern = 'lap'\n",
            _ => "steer = [{ do = 'flee', target = 'extra_0', panic = 5 }, { do = 'wander' }]\n",
        });
    }
    text.push('\n');
    text.push_str(expectation);
    let pattern = (!bug.pattern.is_empty()).then(|| moved(&change(bug.pattern), corner));
    (text, pattern)
}

/// Replaces coordinates such as `@(1, 2)` with lists of coordinates on the large map.
fn moved(text: &str, corner: (usize, usize)) -> String {
    let mut pieces = text.split("@(");
    let mut moved = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (list, rest) = piece.split_once(')').unwrap();
        let numbers = list.split(", ").enumerate().map(|(index, number)| {
            let by = if index % 2 == 0 { corner.0 } else { corner.1 };
            match number.parse::<usize>() {
                Ok(tile) => (tile + by).to_string(),
                Err(_) => format!("{:?}", number.parse::<f64>().unwrap() + by as f64),
            }
        });
        let _ = write!(moved, "[{}]{rest}", numbers.collect::<Vec<_>>().join(", "));
    }
    moved
}

/// A linear congruential generator, with the constants of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end) as usize
    }
}
