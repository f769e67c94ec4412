//! The routes of steered bodies. Small bodies share flow fields. Bodies that need clearance share
//! the flow fields of their radius.
//!
//! Each such radius has its own route map, which is created when it is first needed. The route map
//! depends only on the scenario, so it is never saved. All copies of a world share it.

use std::sync::OnceLock;

use crate::agent::AgentKind;
use crate::cancel::Cancel;
use crate::geom::TilePos;
use crate::map::Map;
use crate::map::route::NextStep;
use crate::scenario::Scenario;
use crate::steering::Behaviour;
use crate::time::Frame;

use super::flows::{Flows, RouteMap};

/// The flow fields of a scenario, for bodies of all sizes.
#[derive(Debug)]
pub struct Routes {
    small: Flows,
    /// The maps and flow fields with clearance, one entry per radius.
    cleared: Box<[ClearedRoutes]>,
}

/// The map and the flow fields for bodies with one radius.
#[derive(Debug)]
struct ClearedRoutes {
    /// Radius of the bodies in tiles.
    radius: f32,
    map: OnceLock<Map>,
    flows: Flows,
}

impl Routes {
    pub fn new(scenario: &Scenario) -> Self {
        let map = &scenario.map;
        let mut radii: Vec<f32> = Vec::new();
        for kind in scenario.kinds.iter().filter(|kind| uses_flow(kind)) {
            let radius = kind.body.radius;
            if map.needs_clearance(radius) && !radii.contains(&radius) {
                radii.push(radius);
            }
        }
        let cleared =
            |radius| ClearedRoutes { radius, map: OnceLock::new(), flows: Flows::new(map) };
        Self { small: Flows::new(map), cleared: radii.into_iter().map(cleared).collect() }
    }

    /// Returns the route map of bodies with a radius in tiles. Returns `None` if these bodies use
    /// the map of the scenario.
    pub fn map<'a>(&'a self, base: &Map, radius: f32) -> Option<&'a Map> {
        let routes = self.of(radius)?;
        Some(routes.map.get_or_init(|| base.cleared(radius)))
    }

    /// Returns the next step of a body from `tile` towards `goal`. `radius` is the radius of the
    /// body in tiles. Returns `None` if there is no route. After a cancellation, ignore the result.
    pub fn next_step(
        &self,
        base: &Map,
        radius: f32,
        frame: Frame,
        [tile, goal]: [TilePos; 2],
        cancel: &Cancel,
    ) -> Option<NextStep> {
        if let (Some(routes), Some(map)) = (self.of(radius), self.map(base, radius)) {
            let on = RouteMap { base, map, radius: Some(radius) };
            return routes.flows.next_step(on, frame, goal, tile, cancel);
        }
        let on = RouteMap { base, map: base, radius: None };
        self.small.next_step(on, frame, goal, tile, cancel)
    }

    fn of(&self, radius: f32) -> Option<&ClearedRoutes> {
        self.cleared.iter().find(|routes| routes.radius == radius)
    }
}

fn uses_flow(kind: &AgentKind) -> bool {
    let mut rows = kind.modes.iter().flat_map(|mode| mode.drive.steering());
    rows.any(|row| matches!(row.behaviour, Behaviour::Flow(_)))
}
