//! Generates random maps with all drives and behaviours, as the texts of a map file and its pattern files.

mod population;

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::Arc;

use tilewalk_sim::body::{NUMBERS, NumberForm};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::steering::{Parameter, ParameterShape, SPECS, Spec, TargetKeys};

use crate::support::random::TestRng;

/// Names of the patterns, which are also their kinds. Each map has one pattern of each kind.
const PATTERNS: [&str; 4] = ["path", "matrix", "steps", "thrust"];

/// Conditions of transitions. `OTHER` stands for another agent.
const CONDITIONS: [&str; 8] = [
    "time_in_mode > 1.5",
    "chance(0.02)",
    "blocked or stuck",
    "sees(OTHER)",
    "distance(OTHER) < 3 and time_in_mode > 0.3",
    "speed > 1 or arrived",
    "event(bump) or event(overlap)",
    "not sees(OTHER) and (finished or time_in_mode > 4)",
];

/// Returns the files of a random map and its patterns.
pub fn sources(rng: &mut TestRng) -> Arc<Sources> {
    let file = |place, text: String| SourceFile {
        place,
        label: "swarm.toml".to_owned(),
        text: text.into(),
    };
    let size = [4 + rng.below(21), 4 + rng.below(21)];
    let mut files = vec![file(FileRole::Map, Generator { rng, size, agents: 0 }.map())];
    for name in PATTERNS {
        let text = Generator { rng, size, agents: 0 }.pattern(name);
        files.push(file(FileRole::Pattern(name.to_owned()), text));
    }
    Arc::new(Sources { files, ..Sources::default() })
}

struct Generator<'a> {
    rng: &'a mut TestRng,
    /// Width and height of the map, in tiles.
    size: [usize; 2],
    /// The number of agents in the map, named `a0`, `a1` and so on.
    agents: usize,
}

impl Generator<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.rng.below(count)
    }

    /// Returns true with a probability of `percent` %.
    fn maybe(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Returns a number from 0 to 1.
    fn share(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// Returns a number in a range: mostly near the default, sometimes at either end.
    fn number(&mut self, range: &RangeInclusive<f64>, default: Option<f32>) -> f64 {
        let (low, high) = (*range.start(), *range.end());
        let usual = default.map_or(1.0, f64::from);
        match self.below(20) {
            0 => low,
            1 => high,
            2..5 => low + (high - low) * libm::pow(self.share(), 6.0),
            _ => (usual * libm::pow(4.0, self.share() * 2.0 - 1.0)).clamp(low, high),
        }
    }

    fn tile(&mut self) -> [usize; 2] {
        [self.below(self.size[0]), self.below(self.size[1])]
    }

    /// Returns a TOML array of random length, with the entries that `entry` returns.
    fn list(
        &mut self,
        lengths: RangeInclusive<usize>,
        mut entry: impl FnMut(&mut Self) -> String,
    ) -> String {
        let length = lengths.start() + self.below(lengths.end() - lengths.start() + 1);
        let entries: Vec<_> = (0..length).map(|_| entry(self)).collect();
        format!("[{}]", entries.join(", "))
    }

    fn tiles(&mut self, lengths: RangeInclusive<usize>) -> String {
        self.list(lengths, |this| format!("{:?}", this.tile()))
    }

    fn map(&mut self) -> String {
        let walls = self.below(30);
        let mut text = format!(
            "tick = {}\nseed = {}\nedges = {:?}\ncorners = {:?}\n",
            self.one_of(&["0.05", "0.01", "0.3", "1"]),
            self.below(1 << 20),
            self.one_of(&["wall", "wrap"]),
            self.one_of(&["patterns", "cut", "block"]),
        );
        text += "tiles = '''\n";
        for _ in 0..self.size[1] {
            let glyph = |this: &mut Self| {
                if this.maybe(walls) {
                    this.one_of(&['#', '~', 'T', 'O'])
                } else {
                    this.one_of(&['.', '.', '.', ',', '+', 'm'])
                }
            };
            text.extend((0..self.size[0]).map(|_| glyph(self)));
            text.push('\n');
        }
        text +=
            "'''\n[legend]\nm = { name = 'mud', cost = 3.5, drag = 2, opaque = true }\n[places]\n";
        for name in ["here", "there"] {
            let _ = writeln!(text, "{name} = {:?}", self.tile());
        }
        for _ in 0..self.below(4) {
            let [x, y] = self.tile();
            let at = [x as f64 + self.share(), y as f64 + self.share()];
            let _ = writeln!(
                text,
                "[[obstacle]]\nat = {at:?}\nradius = {:?}",
                0.05 + self.share() * 0.45
            );
        }
        for _ in 0..[0, 0, 1, 3][self.below(4)] {
            text += &self.wall();
        }
        self.agents = 2 + self.below(8);
        for agent in 0..self.agents {
            text += &self.agent(agent);
        }
        if self.maybe(50) {
            text += &self.population();
        }
        text
    }

    /// Returns a free wall through two or three random points.
    fn wall(&mut self) -> String {
        let is_line = self.maybe(60);
        let mut point = || {
            let [width, height] = self.size;
            format!("[{:?}, {:?}]", self.share() * width as f64, self.share() * height as f64)
        };
        let ends = if is_line {
            format!("from = {}\nto = {}", point(), point())
        } else {
            format!("points = [{}, {}, {}]", point(), point(), point())
        };
        let (one_sided, opaque) = (self.maybe(30), self.maybe(70));
        format!("[[wall]]\n{ends}\none_sided = {one_sided}\nopaque = {opaque}\n")
    }

    fn agent(&mut self, agent: usize) -> String {
        let mut text = format!("[[agent]]\nname = 'a{agent}'\nat = 'anywhere'\n");
        let _ = writeln!(text, "heading = {}", self.below(360));
        // The first agent is in the group `pack`, so that the group always exists.
        if agent == 0 || self.maybe(30) {
            text += "group = 'pack'\n";
        }
        if self.maybe(25) {
            let _ = writeln!(text, "count = {}", 2 + self.below(4));
        }
        if self.maybe(20) {
            let _ = writeln!(text, "every = {}", 1 + self.below(5));
        }
        text += &self.removal(8);
        text += &self.body();
        if self.maybe(50) {
            return text + &self.drive(agent);
        }
        let modes = 2 + self.below(2);
        for mode in 0..modes {
            let _ = write!(text, "[[agent.mode]]\nname = 'm{mode}'\n{}", self.drive(agent));
            let to = (mode + 1) % modes;
            let other = self.other(agent);
            let when = self.one_of(&CONDITIONS).replace("OTHER", &other);
            let _ = writeln!(text, "switch = [{{ when = '{when}', to = 'm{to}' }}]");
            text += &self.removal(4);
        }
        text
    }

    fn body(&mut self) -> String {
        let mut keys = Vec::new();
        for number in NUMBERS {
            if !self.maybe(20) {
                continue;
            }
            let value = self.number(&number.range, number.default());
            keys.push(match number.form {
                NumberForm::Plain | NumberForm::Angle => format!("{} = {value:?}", number.key),
                NumberForm::Count => format!("{} = {value:.0}", number.key),
            });
        }
        keys.push(format!("solid = {}", self.maybe(30)));
        format!("body = {{ {} }}\n", keys.join(", "))
    }

    fn drive(&mut self, agent: usize) -> String {
        let pace = format!("pace = {}\n", 1 + self.below(6));
        match self.below(14) {
            0 => String::new(),
            1 => "keys = true\n".to_owned(),
            2 => format!("keys = true\n{pace}"),
            3..6 => {
                let key = self.one_of(&["chase", "flee_tiles", "travel"]);
                format!("{key} = {}\n{pace}", self.target(agent))
            }
            6 => {
                let list = self.list(2..=4, |this| format!("{:?}", this.one_of(&PATTERNS[1..])));
                let choose = self.one_of(&["cycle", "random"]);
                format!("pattern = {list}\nchoose = '{choose}'\n")
            }
            7..10 => {
                let name = self.one_of(&PATTERNS);
                let pace = if name == "thrust" { "" } else { &pace };
                format!("pattern = '{name}'\nresume = {}\n{pace}", self.maybe(50))
            }
            _ => self.steer(agent),
        }
    }

    fn steer(&mut self, agent: usize) -> String {
        let combine = self.one_of(&["prioritized", "weighted", "dithered", "first"]);
        let mut specs = vec![self.one_of(&SPECS)];
        if specs[0].word != "track" {
            let more = self.below(4);
            let others: Vec<_> = SPECS.into_iter().filter(|spec| spec.word != "track").collect();
            specs.extend((0..more).map(|_| self.one_of(&others)));
            // A list can contain only one `avoid_crowd`.
            let mut avoids = false;
            let is_another = |spec: &Spec| spec.word == "avoid_crowd";
            specs.retain(|spec| !is_another(spec) || !core::mem::replace(&mut avoids, true));
        }
        let rows: Vec<_> = specs.into_iter().map(|spec| self.row(spec, agent)).collect();
        format!("combine = '{combine}'\nsteer = [{}]\n", rows.join(", "))
    }

    fn row(&mut self, spec: &Spec, agent: usize) -> String {
        let mut keys = vec![format!("do = '{}'", spec.word)];
        match spec.subject {
            TargetKeys::Nothing => {}
            TargetKeys::Target(key) => keys.push(format!("{key} = {}", self.target(agent))),
            TargetKeys::Heading(key, _) => keys.push(format!("{key} = {}", self.below(360))),
            TargetKeys::Pair(key) => {
                let pair = [self.target(agent), self.target(agent)].join(", ");
                keys.push(format!("{key} = [{pair}]"));
            }
        }
        for parameter in spec.parameters {
            if parameter.is_required
                || matches!(parameter.shape, ParameterShape::Path)
                || self.maybe(30)
            {
                keys.push(self.parameter(spec, parameter));
            }
        }
        if self.maybe(40) {
            keys.push(format!("weight = {:?}", self.number(&(0.001..=1000.0), Some(spec.weight))));
        }
        format!("{{ {} }}", keys.join(", "))
    }

    fn parameter(&mut self, spec: &Spec, parameter: &Parameter) -> String {
        let value = match &parameter.shape {
            ParameterShape::Number(range)
            | ParameterShape::Angle(range)
            | ParameterShape::NumberOrWord(range, _) => {
                format!("{:?}", self.number(range, parameter.default_number(spec)))
            }
            ParameterShape::Count(range) => {
                let (least, most) = (*range.start() as usize, *range.end() as usize);
                (least + self.below(most - least + 1)).to_string()
            }
            ParameterShape::Flag => self.maybe(50).to_string(),
            ParameterShape::Words(words) => format!("{:?}", self.one_of(words)),
            ParameterShape::Group { .. } => "'pack'".to_owned(),
            ParameterShape::Offset(range) => {
                format!("{:?}", [self.number(range, None), self.number(range, None)])
            }
            ParameterShape::Path => {
                return format!("points = {}, loop = {}", self.tiles(2..=5), self.maybe(50));
            }
        };
        format!("{} = {value}", parameter.key)
    }

    /// Returns the name of a random agent other than `agent`.
    fn other(&mut self, agent: usize) -> String {
        format!("a{}", (agent + 1 + self.below(self.agents - 1)) % self.agents)
    }

    fn target(&mut self, agent: usize) -> String {
        match self.below(8) {
            0 => "'pack'".to_owned(),
            1 => "'here'".to_owned(),
            2 => "'home'".to_owned(),
            3 => format!("{:?}", self.tile()),
            4 => format!("'last_seen({})'", self.other(agent)),
            _ => format!("'{}'", self.other(agent)),
        }
    }

    fn pattern(&mut self, kind: &str) -> String {
        let line = self.one_of(&["standard", "book", "symmetric"]);
        let moves = self.one_of(&[4, 8]);
        let absolute = self.maybe(60);
        let rest = match kind {
            "path" => {
                let end = if self.maybe(50) { "closed = true" } else { "ends = 'reverse'" };
                let vertices = self.tiles(2..=6);
                let dwell = self.below(4);
                format!(
                    "vertices = {vertices}\n{end}\nline = '{line}'\nabsolute = {absolute}\ndwell = {dwell}\n"
                )
            }
            "matrix" => {
                let segments =
                    self.list(1..=5, |this| format!("[{:?}, {:?}]", this.tile(), this.tile()));
                let dead_end = self.one_of(&["back", "stay"]);
                format!(
                    "segments = {segments}\nmoves = {moves}\ndead_end = '{dead_end}'\nline = '{line}'\nabsolute = {absolute}\n"
                )
            }
            "steps" => {
                let (unit, turn) = if self.maybe(50) {
                    ("unit = 'degrees'".to_owned(), 180)
                } else {
                    (format!("moves = {moves}"), 4)
                };
                let steps = self.list(1..=5, |this| match this.below(4) {
                    0 => format!("{{ wait = {} }}", this.below(5)),
                    1 => format!("{{ left = {}, forward = {} }}", this.below(turn), this.below(5)),
                    2 => {
                        format!("{{ right = {}, backward = {} }}", this.below(turn), this.below(5))
                    }
                    _ => format!("{{ signal = 'on', forward = {} }}", 1 + this.below(9)),
                });
                format!("steps = {steps}\n{unit}\nrepeat = {}\n", self.maybe(70))
            }
            _ => {
                let legs = self.list(1..=4, |this| {
                    let limit = if this.maybe(50) {
                        format!("until_moved = {:?}", 0.5 + this.share() * 6.0)
                    } else {
                        format!("until_turned = {:?}", 5.0 + this.share() * 200.0)
                    };
                    format!(
                        "{{ port = {}, starboard = {}, {limit} }}",
                        this.maybe(40),
                        this.maybe(40)
                    )
                });
                format!("legs = {legs}\nrepeat = {}\n", self.maybe(70))
            }
        };
        format!("kind = '{kind}'\n{rest}")
    }
}
