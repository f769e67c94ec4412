//! Draws the frames of a run as pictures of the map.

pub mod agents;
mod ground;
mod layout;
mod legend;
mod overlays;
mod trails;

use std::sync::Arc;

use crate::agent::AgentKind;
use crate::condition::{Named, Scope};
use crate::geom::Vec2;
use crate::history::Log;
use crate::id::AgentId;
use crate::map::Map;
use crate::overlays::{Layer, MOST_AGENTS, Overlays};
use crate::palette::{Name, Rgb};
use crate::scenario::Scenario;
use crate::step;
use crate::world::{Look, World};

use super::picture::{Outline, Picture, Placed, Shape};
use super::style::Style;
use agents::{ColorBy, Colors};
use layout::{Contents, Layout};
use legend::Entry;
use overlays::Pens;
use trails::{Trails, Visits};

pub use layout::{LARGEST, SMALLEST, USUAL, fitted};

/// Duration of the preview, in seconds.
const PREVIEW: f64 = 3.0;

/// Largest number of agents with names, if no agents are named.
const MOST_NAMES: usize = 12;

/// Shown part of the map around an agent, in tiles.
const AROUND: Vec2 = Vec2::new(24.0, 16.0);

/// What pictures of a map show.
#[derive(Debug, Clone)]
pub struct View {
    pub theme: Name,
    /// Names of the agents and groups whose overlays are shown. Empty for all agents.
    pub agents: Vec<String>,
    /// `None` for the default of the agents.
    pub overlays: Option<Overlays>,
    pub by: ColorBy,
    /// Left, top, right and bottom of the shown part, in tiles.
    pub crop: Option<[f32; 4]>,
    /// Width in pixels; `None` for the usual longer side.
    pub width: Option<u32>,
    /// Length of trails in seconds.
    pub trail: f64,
    /// The title; `None` for the title of the map.
    pub title: Option<String>,
    /// The agent at the centre of all frames.
    pub centre: Option<String>,
    /// Whether width and height are even, as encoders of films require.
    pub is_even: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            theme: Name::Light,
            agents: Vec::new(),
            overlays: None,
            by: ColorBy::Agent,
            crop: None,
            width: None,
            trail: 5.0,
            title: None,
            centre: None,
            is_even: false,
        }
    }
}

/// Overlays that only the screen has.
const OF_THE_SCREEN: [Layer; 3] = [Layer::Events, Layer::Lines, Layer::Minimap];

impl View {
    /// Returns the overlays to show. By default, these are headings and trails, and for named agents
    /// those of the screen and the field of view.
    pub fn shown(&self) -> Overlays {
        self.overlays.unwrap_or_else(|| {
            if self.agents.is_empty() {
                return Overlays::named(&["heading", "trail"]);
            }
            let mut shown = Overlays::default();
            for layer in [Layer::Trail, Layer::Sight] {
                shown.toggle(layer);
            }
            OF_THE_SCREEN.into_iter().fold(shown, Overlays::without).without(Layer::Preview)
        })
    }

    /// Returns the name of an overlay that pictures of a map can't show.
    pub fn unknown_overlay(&self) -> Option<&'static str> {
        let shown = self.overlays?;
        let missing = OF_THE_SCREEN.into_iter().find(|layer| shown.has(*layer))?;
        Some(crate::overlays::TABLE[missing as usize].name)
    }
}

/// Returns the agents with a name: an agent, or the members of a group.
pub fn named(world: &World, name: &str) -> Vec<AgentId> {
    if let Some(agent) = world.find(name) {
        return vec![agent];
    }
    let scenario = world.scenario();
    match Scope::find(&**scenario, name) {
        Some(Named::Agent(agent)) => vec![agent],
        Some(Named::Group(group)) => scenario.members(group).to_vec(),
        Some(Named::Place(_) | Named::Instance(_)) | None => Vec::new(),
    }
}

/// Draws the frames of one run.
#[derive(Debug)]
pub struct Scene {
    view: View,
    overlays: Overlays,
    style: Style,
    layout: Layout,
    /// Size of the shown part, in tiles.
    tiles: Vec2,
    entries: Vec<Entry>,
    colors: Colors,
    trails: Trails,
    visits: Visits,
    /// The ground and the frame of the last picture, and what they depend on.
    still: Option<Still>,
    stills: u64,
}

#[derive(Debug)]
struct Still {
    map: Arc<Map>,
    corner: Vec2,
    ground: Arc<Vec<Shape>>,
    frame: Arc<Vec<Shape>>,
}

impl Scene {
    /// Prepares the pictures of a run that begins with a world.
    ///
    /// # Errors
    /// Returns a message if the part to show is not on the map, or if the pictures would be too large.
    pub fn new(view: View, world: &World) -> Result<Self, String> {
        let scenario = world.scenario();
        let style = Style::of(view.theme);
        let overlays = view.shown();
        let colors = Colors::of(scenario, view.by, style);
        let map = scenario.map();
        let size = Vec2::new(map.width() as f32, map.height() as f32);
        let tiles = match view.crop {
            Some([left, top, right, bottom]) => {
                let is_inside = left >= 0.0 && top >= 0.0 && right <= size.x && bottom <= size.y;
                if !is_inside || left >= right || top >= bottom {
                    return Err(format!(
                        "the part {left},{top},{right},{bottom} is not on the map, which is 0,0,{},{}",
                        size.x, size.y
                    ));
                }
                Vec2::new(right - left, bottom - top)
            }
            None if view.centre.is_some() => size.min(AROUND),
            None => size,
        };
        let whole = view.crop.filter(|_| view.centre.is_none());
        let area = whole.map_or([Vec2::ZERO, size], |[left, top, right, bottom]| {
            [Vec2::new(left, top), Vec2::new(right, bottom)]
        });
        let observed = view.agents.iter().flat_map(|name| named(world, name));
        let mut kinds: Vec<&AgentKind> = observed.map(|id| world.kind(id)).collect();
        if view.agents.is_empty() {
            kinds = scenario.kinds().iter().collect();
        }
        let shown = legend::Shown { kinds, overlays, trail: view.trail };
        let entries = legend::entries(scenario, area, &colors, &shown, &style);
        let widths = legend::widths(&entries);
        let has_rulers = overlays.has(Layer::Rulers);
        let contents = Contents { tiles, entries: &widths, has_rulers };
        let layout = contents.layout(view.width, view.is_even)?;
        let seconds = if overlays.has(Layer::Trail) { view.trail } else { 0.0 };
        let trails = Trails::new(seconds, scenario.tick());
        let visits = Visits::default();
        let (still, stills) = (None, 0);
        Ok(Self {
            view,
            overlays,
            style,
            layout,
            tiles,
            entries,
            colors,
            trails,
            visits,
            still,
            stills,
        })
    }

    /// Returns true if pictures need the previous frame.
    pub fn needs_previous(&self) -> bool {
        self.overlays.need_explanations()
    }

    /// Returns the colours that the pictures of a film can have besides those of the first picture.
    pub fn extra_colors(&self) -> Vec<Rgb> {
        self.style.moving()
    }

    /// Returns the colour of the floor.
    pub fn background(&self) -> Rgb {
        self.style.background()
    }

    /// Remembers what later pictures show of a frame: the positions of the agents. Must be called at
    /// every frame.
    pub fn note(&mut self, world: &World) {
        self.trails.note(world);
        if self.overlays.has(Layer::Visits) {
            let agents = self.observed(world);
            self.visits.note(world, &agents);
        }
    }

    /// Returns the agents whose overlays are shown.
    fn observed(&self, world: &World) -> Vec<AgentId> {
        if self.view.agents.is_empty() {
            return world.ids().collect();
        }
        let agents = self.view.agents.iter().flat_map(|name| named(world, name));
        let mut agents: Vec<AgentId> = agents.filter(|&id| world.is_present(id)).collect();
        agents.sort_unstable();
        agents.dedup();
        agents
    }

    /// Returns the top left corner of the shown part, in tiles.
    fn corner(&self, world: &World) -> Vec2 {
        let map = world.scenario().map();
        let size = Vec2::new(map.width() as f32, map.height() as f32);
        let centre = self.view.centre.as_ref().and_then(|name| named(world, name).pop());
        if let Some(id) = centre.filter(|&id| world.is_present(id)) {
            let corner = world.position(id) - self.tiles / 2.0;
            // Whole pixels keep the lines of the ground sharp.
            let corner = (corner * self.layout.scale).round() / self.layout.scale;
            return corner.clamp(Vec2::ZERO, size - self.tiles);
        }
        let crop = self.view.crop.map(|[left, top, ..]| Vec2::new(left, top));
        self.still.as_ref().map(|still| still.corner).or(crop).unwrap_or(Vec2::ZERO)
    }

    /// Returns the picture of a frame. `commands` are the commands of the run.
    pub fn picture(&mut self, look: &Look, commands: Option<&Log>) -> Picture {
        let world = look.now;
        let corner = self.corner(world);
        let placed = self.layout.placed(corner);
        let (ground, frame) = self.still(world, corner, placed);
        let moving = self.moving(look, commands, placed);
        let time = world.time() + 0.0;
        let stamp = format!("frame {}   {time:.2} s", world.frame());
        let Layout { size, map, .. } = self.layout;
        let stamp = vec![legend::stamp(&self.layout, &stamp, &self.style)];
        let (still, placed) = (self.stills, Some(placed));
        Picture { size, ground, moving, frame, stamp, map, still, placed }
    }

    fn still(
        &mut self,
        world: &World,
        corner: Vec2,
        placed: Placed,
    ) -> (Arc<Vec<Shape>>, Arc<Vec<Shape>>) {
        let scenario = world.scenario();
        let is_same =
            |still: &&Still| Arc::ptr_eq(&still.map, scenario.map()) && still.corner == corner;
        if let Some(still) = self.still.as_ref().filter(is_same) {
            return (Arc::clone(&still.ground), Arc::clone(&still.frame));
        }
        let area = [corner, corner + self.tiles];
        let ground = ground::draw(scenario, area, placed, self.layout.font, &self.style);
        let frame = self.frame(scenario, area, placed);
        let (ground, frame) = (Arc::new(ground), Arc::new(frame));
        self.stills += 1;
        let still = (Arc::clone(&ground), Arc::clone(&frame));
        self.still = Some(Still { map: Arc::clone(scenario.map()), corner, ground, frame });
        still
    }

    fn frame(&self, scenario: &Scenario, area: [Vec2; 2], placed: Placed) -> Vec<Shape> {
        let widths = legend::widths(&self.entries);
        let has_rulers = self.overlays.has(Layer::Rulers);
        let contents = Contents { tiles: self.tiles, entries: &widths, has_rulers };
        let title = self.view.title.as_deref().unwrap_or(scenario.title());
        let mut frame = legend::draw(&self.layout, &contents, &self.entries, title, &self.style);
        if has_rulers {
            frame.extend(legend::rulers(&self.layout, area, placed, &self.style));
        }
        frame
    }

    /// Draws agents and overlays.
    fn moving(&self, look: &Look, commands: Option<&Log>, placed: Placed) -> Vec<Shape> {
        let (world, style) = (look.now, &self.style);
        let observed = self.observed(world);
        let [from, to] = self.layout.corners();
        let reach = Vec2::splat(placed.scale * 2.0);
        let is_visible = |id: &AgentId| {
            let at = placed.at(world.position(*id));
            let radius = Vec2::splat(world.body(*id).radius * placed.scale);
            at.cmpge(from - radius).all() && at.cmple(to + radius).all()
        };
        let visible: Vec<AgentId> = world.ids().filter(is_visible).collect();
        let mut shapes = Vec::new();
        if self.overlays.has(Layer::Visits) {
            self.heat(placed, [from - reach, to + reach], &mut shapes);
        }
        if self.overlays.has(Layer::Trail) {
            for &id in &observed {
                let rgb = self.colors.get(world, id);
                agents::trail(world, id, &self.trails, (placed, rgb), style, &mut shapes);
            }
        }
        let (font, overlays) = (self.layout.font, self.overlays);
        let mut pens =
            Pens { placed, font, style, overlays, shapes, marked: Vec::new(), labels: Vec::new() };
        let few: Vec<AgentId> = observed.iter().copied().take(MOST_AGENTS).collect();
        self.below(world, &few, &mut pens);
        let mut over = Pens { shapes: Vec::new(), ..pens };
        self.over(look, commands, &few, &mut over);
        let Pens { shapes: over, mut marked, .. } = over;
        let mut pens = Pens {
            placed,
            font,
            style,
            overlays,
            shapes: pens.shapes,
            marked: Vec::new(),
            labels: Vec::new(),
        };
        for id in &visible {
            agents::disc(world, *id, placed, self.colors.get(world, *id), style, &mut pens.shapes);
        }
        pens.marked.append(&mut marked);
        pens.rings(world);
        let mut shapes = pens.shapes;
        shapes.extend(over);
        let named = if self.view.agents.is_empty() { &visible } else { &observed };
        if named.len() <= MOST_NAMES && placed.scale >= 4.0 {
            shapes.extend(agents::names(world, named, placed, font, style));
        }
        shapes
    }

    /// Draws the overlays below the agents.
    fn below(&self, world: &World, agents: &[AgentId], pens: &mut Pens) {
        for &id in agents {
            if self.overlays.has(Layer::Sight) {
                pens.sight(world, id);
            }
            if self.overlays.has(Layer::Pattern) {
                pens.pattern(world, id);
            }
        }
        if self.overlays.has(Layer::Preview) {
            preview(world, agents, pens);
        }
    }

    /// Draws the overlays over the agents.
    fn over(&self, look: &Look, commands: Option<&Log>, agents: &[AgentId], pens: &mut Pens) {
        let world = look.now;
        if let Some(before) = look.before.filter(|_| self.overlays.need_explanations()) {
            let before = before.now;
            let commands = commands.map_or(&[][..], |log| log.at(world.frame()));
            let then = agents.iter().filter_map(|&id| world.same_agent(id, before));
            for why in step::explain_with(before, commands, then) {
                if world.is_present(why.agent) {
                    pens.explanation(world, before, &why);
                }
            }
        }
        for &id in agents {
            pens.traced(world, id);
            if self.overlays.has(Layer::Velocity) {
                pens.velocity(world, id);
            }
        }
    }

    /// Draws the heat map of visits.
    fn heat(&self, placed: Placed, [from, to]: [Vec2; 2], shapes: &mut Vec<Shape>) {
        for (tile, share) in self.visits.tiles() {
            let corner = placed.at(tile.centre() - Vec2::splat(0.5));
            if corner.cmpge(from).all() && corner.cmple(to).all() {
                let outline = Outline::rectangle(corner, corner + Vec2::splat(placed.scale));
                shapes.push(Shape::area(outline, self.style.heat(share)));
            }
        }
    }
}

/// Draws the motion of the next seconds.
fn preview(world: &World, agents: &[AgentId], pens: &mut Pens) {
    let mut ahead: Vec<Vec<Vec2>> = agents.iter().map(|&id| vec![world.position(id)]).collect();
    let mut next = world.clone();
    let frames = (PREVIEW / world.scenario().tick()).clamp(1.0, 600.0) as u64;
    for _ in 0..frames {
        step::step(&mut next);
        for (id, track) in agents.iter().zip(&mut ahead) {
            if next.is_present_as(*id, world.number(*id)) {
                track.push(next.position(*id));
            }
        }
    }
    for track in ahead {
        pens.preview(&track, world);
    }
}
