//! Oracle for thrust patterns: the craft and its legs are implemented again in f64 from the docs. On an open
//! map, 200 frames must agree within 0.001 tiles.

use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::thrust::{HeadingFrom, Leg};
use tilewalk_sim::pattern::{Pattern, ThrustPattern};
use tilewalk_sim::step::step;

use crate::support::build;

const CRAFT: AgentId = AgentId(0);
const DT: f64 = 0.05;

/// Stores the heading as an angle, while the tested craft stores a unit vector.
#[derive(Debug, Clone, Copy, Default)]
struct OracleCraft {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    angle: f64,
    spin: f64,
}

impl OracleCraft {
    fn sail(&mut self, body: &Body, side: f64) {
        let [mass, inertia, length] =
            [body.mass, body.craft.inertia, body.craft.length].map(f64::from);
        let [thrust, lateral, water] =
            [body.craft.thrust, body.craft.side_thrust, body.craft.water_drag].map(f64::from);
        let [turning, keel, drag] =
            [body.craft.angular_drag, body.craft.keel, body.drag].map(f64::from);
        let (sin, cos) = libm::sincos(self.angle);
        // Velocity in the direction of the bow, and to starboard.
        let mut ahead = self.vx * cos + self.vy * sin + thrust / mass * DT;
        let mut aside = -self.vx * sin + self.vy * cos + side * lateral / mass * DT;
        let slower = 1.0 + (drag + water * ahead.hypot(aside) / mass) * DT;
        ahead /= slower;
        aside /= slower * (1.0 + keel * DT / mass);
        self.vx = ahead * cos - aside * sin;
        self.vy = ahead * sin + aside * cos;
        self.x += self.vx * DT;
        self.y += self.vy * DT;
        self.spin += side * lateral * length / 2.0 / inertia * DT;
        self.spin /= 1.0 + turning * DT / inertia;
        self.angle += self.spin * DT;
    }

    fn course(&self, from: HeadingFrom) -> Option<f64> {
        match from {
            HeadingFrom::Orientation => Some(self.angle),
            HeadingFrom::Velocity => {
                (self.vx.hypot(self.vy) > 1e-4).then(|| libm::atan2(self.vy, self.vx))
            }
        }
    }
}

/// Returns the equal angle from −π to π, in radians.
fn folded(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

fn assert_agrees(body: Body, legs: &[Leg], from: HeadingFrom) -> usize {
    let rows = vec![".".repeat(120); 120];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let start = Vec2::splat(60.5);
    let pattern = ThrustPattern { legs: legs.to_vec(), heading_from: from, repeat: true };
    build::add(&mut scenario, "c", start, body, build::absolute_pattern(Pattern::Thrust(pattern)));
    let mut world = build::world(scenario);
    let mut craft = OracleCraft { x: 60.5, y: 60.5, ..OracleCraft::default() };
    let (mut leg, mut ended) = (0, 0);
    let (mut leg_start, mut turned, mut course) = ((craft.x, craft.y), 0.0_f64, None);
    for frame in 1..=200 {
        course = course.or(craft.course(from));
        let now = &legs[leg];
        let factor = now.until_turned.map_or(1.0, |most| 1.0 - turned.abs() / f64::from(most));
        let side = f64::from(u8::from(now.port)) - f64::from(u8::from(now.starboard));
        craft.sail(&body, side * factor.max(0.05));
        if let Some(next) = craft.course(from) {
            turned += course.map_or(0.0, |last| folded(next - last)).to_degrees();
            course = Some(next);
        }
        let moved = (craft.x - leg_start.0).hypot(craft.y - leg_start.1);
        if now.until_moved.is_some_and(|most| moved >= f64::from(most))
            || now.until_turned.is_some_and(|most| turned.abs() >= f64::from(most))
        {
            leg = (leg + 1) % legs.len();
            (leg_start, turned, course) = ((craft.x, craft.y), 0.0, None);
            ended += 1;
        }
        step(&mut world);
        let at = world.position(CRAFT);
        let off = (f64::from(at.x) - craft.x).hypot(f64::from(at.y) - craft.y);
        assert!(off < 1e-3, "{off} tiles off in frame {frame} on leg {leg}: {legs:?} {body:?}");
        let bow = folded(f64::from(world.heading_degrees(CRAFT)).to_radians() - craft.angle);
        assert!(bow.abs() < 1e-3, "{bow} radians off in frame {frame} on leg {leg}");
    }
    ended
}

fn moved(tiles: f32) -> Leg {
    Leg { until_moved: Some(tiles), ..Leg::default() }
}

fn port(degrees: f32) -> Leg {
    Leg { port: true, until_turned: Some(degrees), ..Leg::default() }
}

fn starboard(degrees: f32) -> Leg {
    Leg { starboard: true, ..Leg { port: false, ..port(degrees) } }
}

#[test]
fn craft_agree_with_their_oracle_on_every_kind_of_leg() {
    let burning = Leg { starboard: true, until_moved: Some(0.3), ..Leg::default() };
    let both = Leg { until_moved: Some(3.0), ..port(200.0) };
    let programs: [&[Leg]; 5] = [
        &[moved(2.0), port(90.0)],
        &[moved(1.0), port(60.0), moved(1.5), starboard(75.0)],
        &[port(270.0), starboard(400.0)],
        &[burning, both],
        &[Leg { port: true, ..Leg::default() }],
    ];
    let mut bodies = [Body::default(); 4];
    bodies[1].mass = 2.5;
    bodies[1].craft.keel = 1.5;
    bodies[2].drag = 0.4;
    bodies[2].craft.inertia = 0.2;
    bodies[3].craft = tilewalk_sim::body::Craft {
        thrust: 2.0,
        side_thrust: 8.0,
        angular_drag: 1.0,
        inertia: 0.02,
        length: 1.1,
        water_drag: 0.5,
        keel: 12.0,
    };
    for body in bodies {
        for legs in programs {
            for from in [HeadingFrom::Velocity, HeadingFrom::Orientation] {
                let ended = assert_agrees(body, legs, from);
                assert!(ended > 0 || legs.len() == 1, "no leg ended: {legs:?}");
            }
        }
    }
}
