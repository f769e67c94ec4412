//! Draws the notes of steering behaviours as lines, circles and symbols.

use ratatui::style::{Modifier, Style};

use crate::body::Motion;
use crate::geom::Vec2;
use crate::steering::Note;
use crate::steering::note::{NoteOverlay, Pen, Primitive, Sign};
use crate::tui::draw::canvas::Canvas;
use crate::tui::glyph;
use crate::tui::overlays::{Layer, Overlays};
use crate::tui::theme::Theme;

/// Draws the shapes of a note if its overlay is visible. `before` is the agent's motion at the
/// previous frame. The shapes are relative to that motion.
pub fn draw(note: &Note, before: Motion, overlays: Overlays, canvas: &mut Canvas) {
    let (overlay, shapes) = note.drawing(before);
    let (layer, normal) = layer(overlay, canvas.theme);
    if overlays.has(layer) {
        for shape in shapes {
            draw_shape(shape, normal, canvas);
        }
    }
}

/// Returns the layer that shows an overlay, and the style of its shapes.
fn layer(overlay: NoteOverlay, theme: &Theme) -> (Layer, Style) {
    match overlay {
        NoteOverlay::Targets => (Layer::Targets, theme.target),
        NoteOverlay::Predicted => (Layer::Predicted, theme.target),
        NoteOverlay::HidingSpots => (Layer::Spots, theme.target),
        NoteOverlay::Path => (Layer::Path, theme.path),
        // Neighbours are underlined, but an underline below dots looks like another line of dots.
        NoteOverlay::Neighbours => {
            (Layer::Neighbours, Style { add_modifier: Modifier::empty(), ..theme.neighbour })
        }
        NoteOverlay::Cells => (Layer::Cells, theme.dim),
        NoteOverlay::Feelers => (Layer::Feelers, theme.feeler),
        NoteOverlay::DetectionBox => (Layer::Box, theme.feeler),
        NoteOverlay::HalfPlanes => (Layer::Planes, theme.feeler),
        NoteOverlay::Wander => (Layer::Wander, theme.wander),
    }
}

fn draw_shape(shape: Primitive, normal: Style, canvas: &mut Canvas) {
    let hit = canvas.theme.hit;
    let style = |pen: Pen| if pen.is_hit { hit } else { normal };
    match shape {
        Primitive::Sign { at, sign } => draw_sign(at, sign, normal, canvas),
        Primitive::Line { from, to, pen } => canvas.strokes.line(from, to, pen.dash, style(pen)),
        Primitive::Circle { centre, radius, pen } => {
            canvas.strokes.circle(centre, radius, pen.dash, style(pen));
        }
        Primitive::Arc { centre, from, angle, pen } => {
            canvas.strokes.arc(centre, from, angle, pen.dash, style(pen));
        }
        Primitive::Agent(id) => canvas.marked.push(id),
    }
}

fn draw_sign(at: Vec2, sign: Sign, normal: Style, canvas: &mut Canvas) {
    let theme = canvas.theme;
    match sign {
        Sign::Target => canvas.target(at, glyph::TARGET, normal),
        Sign::Predicted => canvas.sign(at, glyph::PREDICTED, normal),
        Sign::Arrow(direction) => canvas.sign(at, direction.arrow(), normal),
        Sign::HidingSpot => canvas.sign(at, glyph::HIDING_SPOT, theme.dim),
        Sign::ChosenHidingSpot => canvas.sign(at, glyph::CHOSEN_HIDING_SPOT, normal),
        Sign::Distance(tiles) => {
            let digit = glyph::DIGITS.get(tiles as usize).copied().unwrap_or(glyph::ELLIPSIS);
            canvas.beside(at, digit, theme.dim);
        }
        Sign::Waypoint => canvas.sign(at, glyph::WAYPOINT, normal),
        Sign::Hit => canvas.sign(at, glyph::HIT, theme.hit),
        Sign::Wander => canvas.sign(at, glyph::WANDER, normal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::AgentId;
    use crate::map::{Edges, Map, Obstacle};
    use crate::steering::{CellBlock, HalfPlane, PlaneOwner};
    use crate::tui::camera::{Camera, Extent};
    use crate::tui::overlays::TABLE;
    use crate::tui::theme::MONO;
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;

    /// Returns the drawing of notes on an empty map of 10 × 5 tiles, and the marked agents.
    ///
    /// The agent that has the notes is at (5.0, 2.5) and faces south.
    fn picture(edges: Edges, notes: &[Note]) -> (Vec<String>, Vec<AgentId>) {
        let map = Map::drawn(&[".........."; 5], edges).unwrap();
        let area = Rect::new(0, 0, 20, 5);
        let extent = Extent::of(&map);
        let view = Camera::opening(extent, area).view(extent, area);
        let mut canvas = Canvas::new(&map, view, &MONO);
        let mut all = Overlays::NONE;
        for entry in &TABLE {
            all.toggle(entry.layer);
        }
        let before = Motion {
            position: Vec2::new(5.0, 2.5),
            velocity: Vec2::ZERO,
            heading: Vec2::Y,
            angular_velocity: 0.0,
        };
        for note in notes {
            draw(note, before, all, &mut canvas);
            draw(note, before, Overlays::NONE, &mut canvas);
        }
        let mut buffer = Buffer::empty(area);
        canvas.merge(&mut buffer);
        let rows = buffer.content().chunks(20);
        let text = |row: &[Cell]| row.iter().map(Cell::symbol).collect();
        let lines: Vec<String> = rows.map(text).collect();
        (lines.iter().map(|line| line.trim_end().to_owned()).collect(), canvas.marked)
    }

    fn check(notes: &[Note], expected: [&str; 5]) {
        let (lines, _) = picture(Edges::Wall, notes);
        assert_eq!(lines, expected, "\n{}", lines.join("\n"));
    }

    const HERE: Vec2 = Vec2::new(5.0, 2.5);

    #[test]
    fn points_are_drawn_as_symbols() {
        check(
            &[
                Note::Target(Vec2::new(0.2, 0.5)),
                Note::Predicted(Vec2::new(1.7, 0.5)),
                Note::Waypoint(Vec2::new(3.2, 0.5)),
                Note::HidingSpot { at: Vec2::new(0.2, 4.5), distance: 5.2, chosen: false },
                Note::HidingSpot { at: Vec2::new(2.2, 4.5), distance: 13.0, chosen: true },
            ],
            [" + ◎  ◆", "", "", "", "∪5  ∩…"],
        );
    }

    #[test]
    fn a_neighbourhood_is_a_circle_or_a_cone_and_neighbours_are_marked() {
        let round = Note::Neighbourhood { radius: 2.0, angle: None };
        check(
            &[round],
            [
                "        ⡠⠠⠠⠠⢀",
                "      ⡐⠁     ⢂",
                "      ⡂      ⢐⠄",
                "      ⢂     ⢀⠐",
                "       ⠈⠂⠂⠂⠂⠁",
            ],
        );
        let cone = Note::Neighbourhood { radius: 2.0, angle: Some(core::f32::consts::FRAC_PI_2) };
        check(&[cone], ["", "", "         ⡀⢄", "       ⡀⠂  ⠐⢀", "       ⠈⠂⠂⠂⠂⠁"]);
        let neighbours = [Note::Neighbour(AgentId(3)), Note::Neighbour(AgentId(5))];
        assert_eq!(picture(Edges::Wall, &neighbours).1, [AgentId(3), AgentId(5)]);
    }

    #[test]
    fn searched_cells_are_drawn_as_a_grid() {
        let (from, to) = (Vec2::new(2.0, 1.0), Vec2::new(8.0, 4.0));
        let cells = Note::Cells(CellBlock { from, to, size: [3, 2], grid: [5, 3] });
        check(
            &[cells],
            [
                "",
                "    ⠅⠁⠁⠁⠅⠁⠁⠁⠅⠁⠁⠁⠅",
                "    ⠅⠄⠄⠄⠅⠄⠄⠄⠅⠄⠄⠄⠅",
                "    ⠅   ⠅   ⠅   ⠅",
                "    ⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁",
            ],
        );
    }

    #[test]
    fn a_feeler_ends_where_it_hits_and_is_dashed_beyond() {
        let to = Vec2::new(9.5, 2.5);
        check(
            &[Note::Feeler { from: HERE, to, hit: None, wall: None }],
            ["", "", "          ⠤⠤⠤⠤⠤⠤⠤⠤⠤⠄", "", ""],
        );
        let hit = Some(Vec2::new(7.0, 2.5));
        check(
            &[Note::Feeler { from: HERE, to, hit, wall: None }],
            ["", "", "          ⠤⠤⠤⠤* ⠤ ⠤", "", ""],
        );
    }

    #[test]
    fn a_box_is_dotted_and_solid_round_a_hit() {
        let to = Vec2::new(9.0, 2.5);
        let free = Note::DetectionBox { from: HERE, to, half_width: 1.0, hit: None };
        check(
            &[free],
            ["", "          ⠄⠄⠄⠄⠄⠄⠄⠄⠄", "          ⠅       ⠅", "          ⠅⠄⠄⠄⠄⠄⠄⠄⠅", ""],
        );
        let hit = Some(Obstacle { centre: Vec2::new(8.0, 2.25), radius: 0.5, opaque: false });
        check(
            &[Note::DetectionBox { from: HERE, to, half_width: 1.0, hit }],
            ["", "          ⡤⠤⠤⠤⠤⣤⣤⠤⡄", "          ⡇    ⠧*⠂⡇", "          ⠧⠤⠤⠤⠤⠤⠤⠤⠇", ""],
        );
    }

    #[test]
    fn the_wander_circle_is_round() {
        let circle = Note::WanderCircle {
            centre: Vec2::new(7.5, 2.5),
            radius: 1.5,
            point: Vec2::new(7.5, 4.0),
        };
        check(
            &[circle],
            [
                "",
                "            ⡰⠉⠉⠉⠉⢆",
                "          ⠄⡀⡇    ⢸⠄",
                "            ⠱⣂⣄⣀⣀⠎",
                "               ◦",
            ],
        );
    }

    #[test]
    fn half_planes_are_lines_that_are_dashed_if_relaxed() {
        let note = |normal: Vec2, offset: f32, relaxed: bool| Note::HalfPlane {
            owner: PlaneOwner::Agent(AgentId(1)),
            plane: HalfPlane { normal, offset },
            relaxed,
        };
        check(
            &[
                note(Vec2::Y, 1.0, false),
                note(-Vec2::X, 4.0, true),
                Note::PreferredVelocity(Vec2::new(4.0, 0.0)),
            ],
            ["", "      ⠄", "     ⠠⠆   ⠄⠄⠄⠄→", "      ⠆ ⠉⠉⠋⠉⠁", ""],
        );
    }

    #[test]
    fn a_path_is_dashed_and_a_facing_has_an_arrow() {
        let path = Note::Segment { from: Vec2::new(0.5, 0.5), to: Vec2::new(9.5, 0.5) };
        check(
            &[path, Note::Facing(Vec2::X)],
            [" ⠤ ⠤ ⠤ ⠤ ⠤ ⠤ ⠄ ⠤ ⠤ ⠄", "", "          ⠄⠄⠄→", "", ""],
        );
    }

    /// A line across the edge of a torus continues at the opposite edge, and does not cross the
    /// map.
    #[test]
    fn a_line_across_the_edge_of_a_torus_continues_at_the_opposite_edge() {
        let feeler = Note::Feeler {
            from: Vec2::new(9.0, 2.5),
            to: Vec2::new(11.0, 2.5),
            hit: None,
            wall: None,
        };
        let (lines, _) = picture(Edges::Wrap, &[feeler]);
        assert_eq!(lines[2], "⠤⠤⠄               ⠤⠤");
        check(&[feeler], ["", "", "                  ⠤⠤", "", ""]);
    }

    /// Forces can push a vehicle to any position. Drawing must not panic there.
    #[test]
    fn very_large_coordinates_do_not_panic() {
        for bad in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
            let at = Vec2::new(bad, 1.0);
            let obstacle = Obstacle { centre: at, radius: bad, opaque: false };
            for edges in [Edges::Wall, Edges::Wrap] {
                picture(
                    edges,
                    &[
                        Note::Target(at),
                        Note::Predicted(at),
                        Note::Facing(at),
                        Note::Segment { from: at, to: HERE },
                        Note::Neighbourhood { radius: bad, angle: Some(bad) },
                        Note::Neighbourhood { radius: bad, angle: None },
                        Note::Feeler { from: HERE, to: at, hit: Some(at), wall: None },
                        Note::DetectionBox {
                            from: HERE,
                            to: at,
                            half_width: bad,
                            hit: Some(obstacle),
                        },
                        Note::WanderCircle { centre: at, radius: bad, point: at },
                    ],
                );
            }
        }
    }
}
