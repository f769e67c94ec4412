//! Flow: along the shortest walk to a target, tile by tile, as everybody does who wants to get
//! there (flow field following: Reynolds 1999; gdx-ai).

use crate::geom::{Notch, TilePos, Vec2};
use crate::map::route::Lead;

use super::seek::seek;
use super::{Arrive, Memory, Note, Probe, Seen, Senses, Silent, Surroundings};

use super::behaviour::Behaviour;
use super::spec::{Parameter, Spec, Subject, THOUSAND, access};

/// Flow's parameter.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flow {
    /// How far ahead of itself it asks for the way, in seconds; ≥ 0.
    pub predict: f32,
}

/// What the field says.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The target is on this tile, or as near to it as one can get.
    Here,
    /// On to the middle of a tile: the vector there.
    To(Vec2),
}

impl Flow {
    /// With c the middle of the next tile on the shortest walk to the target's tile from the tile
    /// of p + v·predict: `unit(c − p)·V − v`, times gain. Steps go to the 8 neighbours, cut no
    /// corners, and cost what the tile they enter costs. On the target's tile: `arrive(target)`. No
    /// way there: nothing, and the agent is `blocked`.
    ///
    /// Where p + v·predict is in a wall or cut off, the way from the agent's own tile counts. On the
    /// tile of an obstacle, which no walk enters, it makes for the middle of the nearest tile beside
    /// it that has a way.
    ///
    /// The next tile, not the neighbour that is nearest to the target: that one may be dear to
    /// enter.
    pub fn propose(
        &self,
        senses: &Senses,
        target: Seen,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let position = senses.motion.position;
        let way = self.way(senses, target, around);
        memory.no_route = way.is_none();
        // Told without a way, too: what it is blocked from.
        probe.note(|| Note::Target(position + target.offset));
        let offset = match way {
            None => return Vec2::ZERO,
            Some(Way::Here) => return Arrive::default().propose(senses, target, &mut Silent),
            Some(Way::To(offset)) => offset,
        };
        probe.note(|| Note::Waypoint(position + offset));
        seek(senses, Seen { offset, velocity: Vec2::ZERO, heading: Vec2::X }, &mut Silent)
    }

    fn way(self, senses: &Senses, target: Seen, around: &impl Surroundings) -> Option<Way> {
        let map = senses.map;
        let position = senses.motion.position;
        let tile_of = |point: Vec2| map.resolve(TilePos::containing(map.wrap(point)));
        let goal = tile_of(position + target.offset)?;
        let own = tile_of(position)?;
        let to = |tile: TilePos| Way::To(map.offset(position, tile.centre()));
        let from = |tile: TilePos| match around.lead(goal, tile)? {
            Lead::Here => Some(Way::Here),
            Lead::Step(notch) => Some(to(tile.neighbour(notch))),
        };
        let ahead = tile_of(position + senses.motion.velocity * self.predict);
        let ahead = ahead.filter(|&ahead| ahead != own && map.is_open(ahead));
        if let Some(way) = ahead.and_then(from) {
            return Some(way);
        }
        if map.is_open(own) {
            return from(own);
        }
        let mut nearest: Option<Vec2> = None;
        for notch in Notch::ALL {
            let Some(beside) = map.resolve(own.neighbour(notch)) else { continue };
            let way = map.offset(position, beside.centre());
            let nearer = nearest.is_none_or(|nearest| way.length() < nearest.length());
            if nearer && map.is_open(beside) && around.lead(goal, beside).is_some() {
                nearest = Some(way);
            }
        }
        nearest.map(Way::To)
    }
}

#[rustfmt::skip]
pub(super) const FLOW: Spec = Spec {
    parameters: &[
        Parameter::number("predict", THOUSAND, "s", access!(Number, Behaviour::Flow(it) => it.predict), "Prediction time for the agent's position").details("The route starts at the predicted position"),
    ],
    ..Spec::new("flow", Subject::Target("to"), "moves along the cheapest route to the target. Without a route, the agent is `blocked`", || Behaviour::Flow(Flow::default()))
};
