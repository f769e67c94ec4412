//! Reads objects as places, and polylines and polygons as paths.

use std::collections::BTreeMap;

use super::xml::Element;
use super::{Frame, MAX_DEPTH};
use crate::name::unique;
use crate::tiled::{DrawnPath, DrawnPlace};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::pattern::PathPattern;
use tilewalk_sim::pattern::path::PathRules;

/// Range of positions, in pixels from the top left corner of the map.
const PIXELS: std::ops::RangeInclusive<f64> = -1e12..=1e12;

/// Collects objects with unique names.
struct Objects {
    frame: Frame,
    places: Vec<DrawnPlace>,
    place_names: BTreeMap<String, u32>,
    paths: Vec<DrawnPath>,
    path_names: BTreeMap<String, u32>,
}

pub fn read_all(map: &Element, frame: Frame) -> (Vec<DrawnPlace>, Vec<DrawnPath>) {
    let mut objects = Objects {
        frame,
        places: Vec::new(),
        place_names: BTreeMap::new(),
        paths: Vec::new(),
        path_names: BTreeMap::new(),
    };
    objects.collect(map, (0.0, 0.0), MAX_DEPTH);
    (objects.places, objects.paths)
}

impl Objects {
    fn collect(&mut self, element: &Element, offset: (f64, f64), depth: usize) {
        for child in element.children() {
            let own = |key| child.number(key, PIXELS).unwrap_or(0.0);
            match child.name() {
                "objectgroup" => {
                    let offset = (offset.0 + own("offsetx"), offset.1 + own("offsety"));
                    child.all("object").for_each(|object| self.read(&object, offset));
                }
                "group" if depth > 0 => {
                    let offset = (offset.0 + own("offsetx"), offset.1 + own("offsety"));
                    self.collect(&child, offset, depth - 1);
                }
                _ => {}
            }
        }
    }

    fn read(&mut self, object: &Element, offset: (f64, f64)) {
        if object.attribute("template").is_some() {
            let message = format!("the object `{}` is ignored: it uses a template", object.label());
            object.warn(message, "in Tiled, detach the object from its template");
            return;
        }
        if object.number("rotation", PIXELS).is_some_and(|degrees| degrees != 0.0) {
            let message = format!("the rotation of the object `{}` is ignored", object.label());
            object.warn(
                message,
                "set the rotation to 0 in Tiled; the object is read without rotation",
            );
        }
        let number = |key| object.number(key, PIXELS);
        let (x, y) = (number("x").unwrap_or(0.0) + offset.0, number("y").unwrap_or(0.0) + offset.1);
        let size = (number("width").unwrap_or(0.0), number("height").unwrap_or(0.0));
        for shape in object.children() {
            match shape.name() {
                "polyline" => return self.path(object, &shape, (x, y), false),
                "polygon" => return self.path(object, &shape, (x, y), true),
                "point" | "ellipse" | "capsule" | "properties" => {}
                "text" => {
                    let label = object.label();
                    return object.warn(format!("the text object `{label}` is ignored"), "");
                }
                _ => shape.unread(),
            }
        }
        // A tile object is positioned by its bottom left corner, other objects by their top left
        // corner.
        let up = if object.attribute("gid").is_some() { -1.0 } else { 1.0 };
        self.place(object, (x + size.0 / 2.0, y + up * size.1 / 2.0));
    }

    fn place(&mut self, object: &Element, (x, y): (f64, f64)) {
        let Some(at) = self.frame.point(x, y) else {
            return object.error("the object is too far from the map");
        };
        let (width, height) = self.frame.size;
        let TilePos { x, y } = TilePos::containing(at);
        if !(0..width as i32).contains(&x) || !(0..height as i32).contains(&y) {
            object.warn(format!("the object `{}` is outside the map", object.label()), "");
        }
        let name = unique(&called(object), &mut self.place_names);
        self.places.push(DrawnPlace { name, at, label: called(object) });
    }

    fn path(&mut self, object: &Element, shape: &Element, (x, y): (f64, f64), closed: bool) {
        let text = shape.attribute("points").unwrap_or_default();
        let mut vertices: Vec<TilePos> = Vec::new();
        for pair in text.split_whitespace() {
            let numbers = pair.split_once(',');
            let numbers = numbers.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
            let point = numbers.and_then(|(dx, dy): (f64, f64)| self.frame.point(x + dx, y + dy));
            let Some(point) = point else {
                return shape.error_at("points", "`points` must be number pairs `x,y`");
            };
            let tile = TilePos::containing(point);
            if vertices.last() != Some(&tile) {
                vertices.push(tile);
            }
        }
        if closed && vertices.len() > 1 && vertices.first() == vertices.last() {
            vertices.pop();
        }
        if vertices.len() < 2 {
            let message = format!("`{}` is ignored: all points are on one tile", object.label());
            return object.warn(message, "place the points on at least two tiles");
        }
        match PathPattern::new(&vertices, PathRules { closed, ..PathRules::default() }) {
            Ok(path) => {
                let name = unique(&called(object), &mut self.path_names);
                self.paths.push(DrawnPath { name, path, label: called(object) });
            }
            Err(error) => object.error(error.to_string()),
        }
    }
}

/// Returns the name of an object in the file, or else its class, type or id.
fn called(object: &Element) -> String {
    let keys = ["name", "class", "type"];
    let named = keys.iter().filter_map(|key| object.attribute(key)).find(|name| !name.is_empty());
    let id = object.attribute("id").unwrap_or_default();
    named.map_or_else(|| format!("object {id}"), ToOwned::to_owned)
}
