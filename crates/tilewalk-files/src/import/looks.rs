//! Divides the floor and the walls of an imported map into tile kinds by their looks.
//!
//! Tiles with the same name and similar colours become one kind. Colours are compared in the colour
//! space `OKLab`. The result depends on nothing but the picture: colours are chosen by how different and
//! how frequent they are, and equal ones in the order of their values.
//!
//! An update starts from the kinds of the last import, so a changed source keeps names and colours.

mod color_name;

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::pictures::MapPicture;
use crate::formats::pictures::classes::{class_by_number, class_of};
use crate::tiles::known::{KnownKinds, has_same_rules};
use crate::tiles::legend::Legend;
use color_name::{color_name, distance, lab};
use tilewalk_sim::color::Color;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::sort::{SmallCollect, SmallSort};
use tilewalk_sim::tile::TileKind;

/// Maximum number of kinds of floor and walls.
const MAX_LOOKS: usize = 14;

/// Maximum number of names that kinds can have.
const MAX_GROUPS: usize = 10;

/// Distance of colours that get kinds of their own.
const APART: f32 = 0.1;

/// Factor of [`APART`] for tiles with the same name.
const NAMED: f32 = 2.0;

/// Factor of [`APART`] for colours that are new in an update.
const NEW: f32 = 1.5;

/// Factor of [`APART`] below which two kinds become one.
const MERGED: f32 = 0.75;

/// A colour that less than one in `RARE` tiles has gets no tile kind of its own.
const RARE: u64 = 300;

/// Number of times that the colours of kinds are moved to the average of their tiles.
const ROUNDS: usize = 4;

/// Glyphs of kinds without a glyph of their own: of floor and of walls.
const POOLS: [&str; 2] = [":-;_^*!|iuvnzx", "%&X$HM8BKNWAR"];

/// Built-in glyphs that kinds can get if the map does not use them.
const REPLACED: [&str; 5] = [".", "#", "~", "=", "T"];

/// A tile kind of the last import that comes from the looks of its tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownLook {
    glyph: String,
    name: String,
    walk: bool,
    /// Colour of the tiles; `None` if only their name distinguishes the kind.
    color: Option<[u8; 3]>,
}

/// Returns the kinds of the last import that come from the looks of their tiles. They have the rules of
/// `plain`, the kinds of floor and of walls.
fn known_looks(known: &KnownKinds, plain: &[TileKind; 2]) -> Vec<KnownLook> {
    let look = |kind: &TileKind| {
        let color = match kind.color? {
            Color::Rgb(red, green, blue) => Some([red, green, blue]),
            Color::Ansi(_) => None,
        };
        let is_plain = has_same_rules(kind, &plain[usize::from(!kind.walk)]);
        let is_of_look = is_plain && (color.is_some() || class_of(&kind.name) > 0);
        let (glyph, name) = (kind.glyph.clone(), kind.name.clone());
        is_of_look.then_some(KnownLook { glyph, name, walk: kind.walk, color })
    };
    known.kinds().iter().filter_map(look).collect()
}

/// Tiles that share tile kinds: the index of the tile kind without looks, the number of the class, and
/// whether the tiles have a colour.
type Group = (u8, u8, bool);

/// Group of a tile, and its colour with few bits.
type Key = (Group, u16);

/// Tiles with the same key.
#[derive(Debug, Default, Clone)]
struct Bin {
    group: Group,
    count: u64,
    /// Sums of the channels of the colours.
    sums: [u64; 3],
    lab: [f32; 3],
    /// Number of tiles of the group with a similar colour.
    support: u64,
    /// Index of the look of these tiles; `None` if they keep their kind.
    look: Option<usize>,
}

/// A tile kind in the making.
#[derive(Debug, Clone)]
struct Look {
    group: Group,
    color: [u8; 3],
    lab: [f32; 3],
    count: u64,
    known: Option<KnownLook>,
}

impl Look {
    fn new(group: Group, color: [u8; 3]) -> Self {
        Self { group, color, lab: lab(color), count: 0, known: None }
    }
}

/// Divides the floor and the walls into tile kinds by their looks, and adds these kinds to the legend.
/// `known` are the kinds of the last import.
pub(super) fn apply(
    tiles: &mut Grid<u8>,
    legend: &mut Legend,
    picture: &MapPicture,
    known: &KnownKinds,
) {
    let bases = [".", "#"].map(|glyph| legend.index(glyph).unwrap_or_default());
    let mut bins: BTreeMap<Key, Bin> = BTreeMap::new();
    let mut used = [false; 256];
    let mut colored = vec![([0_u64; 3], 0_u64); 256];
    for (index, &kind) in tiles.cells().iter().enumerate() {
        let (color, class) = picture.at(index);
        let channels = color.unwrap_or_default().map(u64::from);
        if let Some(key) = key(kind, color, class, bases) {
            let bin = bins.entry(key).or_default();
            bin.count += 1;
            add(&mut bin.sums, channels);
            continue;
        }
        used[usize::from(kind)] = true;
        if color.is_some() {
            add(&mut colored[usize::from(kind)].0, channels);
            colored[usize::from(kind)].1 += 1;
        }
    }
    color_costs(legend, &colored);
    for ((group, _), bin) in &mut bins {
        bin.group = *group;
        bin.lab = lab(average(bin.sums, bin.count));
    }
    let (keys, mut bins): (Vec<Key>, Vec<Bin>) = bins.into_iter().unzip();
    forget_rare_names(&mut bins);
    // Other kinds of the map can have taken the glyph of a known kind.
    let is_free = |known: &&KnownLook| {
        let is_unused = |index: u8| REPLACED.contains(&&*known.glyph) && !used[usize::from(index)];
        legend.index(&known.glyph).is_none_or(is_unused)
    };
    let plain = bases.map(|base| legend.kinds()[usize::from(base)].clone());
    let mut before = known_looks(known, &plain);
    before.retain(|known| is_free(&known));
    let mut looks = looks(&mut bins, bases, &before);
    // Bins that lost their name and have no colour keep their kind.
    for bin in bins.iter().filter(|bin| bin.look.is_none()) {
        used[usize::from(bin.group.0)] = true;
    }
    let kinds = insert(&mut looks, legend, bases, (&used, known));
    let found = bins.iter().map(|bin| bin.look.and_then(|look| kinds[look]));
    let found: BTreeMap<Key, Option<u8>> = keys.into_iter().zip(found).small_collect();
    let mut last = None;
    for (index, tile) in tiles.cells_mut().iter_mut().enumerate() {
        let (color, class) = picture.at(index);
        let Some(key) = key(*tile, color, class, bases) else { continue };
        // Neighbours often look the same.
        let kind = match last {
            Some((before, kind)) if before == key => kind,
            _ => found.get(&key).copied().flatten(),
        };
        last = Some((key, kind));
        *tile = kind.unwrap_or(*tile);
    }
}

/// Returns the key of a tile; `None` for a tile that keeps its kind.
fn key(kind: u8, color: Option<[u8; 3]>, class: u8, bases: [u8; 2]) -> Option<Key> {
    if !bases.contains(&kind) {
        return None;
    }
    if let Some([red, green, blue]) = color {
        let bits = |channel: u8| u16::from(channel >> 4);
        return Some(((kind, class, true), bits(red) << 8 | bits(green) << 4 | bits(blue)));
    }
    let is_named = class_by_number(class).is_some_and(|class| !class.is_vague);
    is_named.then_some(((kind, class, false), 0))
}

fn add(sums: &mut [u64; 3], channels: [u64; 3]) {
    for (sum, channel) in sums.iter_mut().zip(channels) {
        *sum += channel;
    }
}

fn average(sums: [u64; 3], count: u64) -> [u8; 3] {
    sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8)
}

/// Gives the average colour of their tiles to kinds without a colour, such as tiles with a route
/// cost. `colored` has the sums of the colours, and the number of tiles, of each kind.
fn color_costs(legend: &mut Legend, colored: &[([u64; 3], u64)]) {
    let kinds = legend.kinds().to_vec();
    for (kind, &(sums, count)) in kinds.into_iter().zip(colored) {
        if count > 0 && kind.color.is_none() && ![".", " "].contains(&&*kind.glyph) {
            let [red, green, blue] = average(sums, count);
            legend.insert(TileKind { color: Some(Color::Rgb(red, green, blue)), ..kind });
        }
    }
}

/// Removes the rarest names if there are too many.
fn forget_rare_names(bins: &mut [Bin]) {
    let mut counts: BTreeMap<Group, u64> = BTreeMap::new();
    for bin in &*bins {
        *counts.entry(bin.group).or_default() += bin.count;
    }
    let mut named: Vec<_> = counts.into_iter().filter(|((_, class, _), _)| *class > 0).collect();
    named.small_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rare: BTreeSet<Group> =
        named.into_iter().skip(MAX_GROUPS).map(|(group, _)| group).small_collect();
    for bin in bins.iter_mut().filter(|bin| rare.contains(&bin.group)) {
        bin.group.1 = 0;
    }
}

/// Chooses looks for all bins, and assigns the bins to them.
fn looks(bins: &mut [Bin], bases: [u8; 2], known: &[KnownLook]) -> Vec<Look> {
    let known_look = |known: &KnownLook| {
        let group = (bases[usize::from(!known.walk)], class_of(&known.name), known.color.is_some());
        Look { known: Some(known.clone()), ..Look::new(group, known.color.unwrap_or_default()) }
    };
    let mut looks: Vec<Look> = known.iter().map(known_look).collect();
    support(bins);
    let total: u64 = bins.iter().map(|bin| bin.count).sum();
    let factor = if known.is_empty() { 1.0 } else { NEW };
    // Each group needs a look. Only bins without a name and a colour have none.
    loop {
        assign(bins, &mut looks);
        let is_new = |bin: &&Bin| bin.look.is_none() && (bin.group.1 > 0 || bin.group.2);
        let Some(next) = most(bins.iter().filter(is_new), |bin| bin.support as f32) else { break };
        looks.push(Look::new(next.group, average(next.sums, next.count)));
    }
    looks.retain(|look| look.count > 0);
    assign(bins, &mut looks);
    while looks.len() < MAX_LOOKS {
        let apart = |bin: &Bin| bin.look.map_or(0.0, |look| distance(bin.lab, looks[look].lab));
        let is_apart = |bin: &&Bin| {
            let is_vague = class_by_number(bin.group.1).is_none_or(|class| class.is_vague);
            let limit = APART * factor * if is_vague { 1.0 } else { NAMED };
            bin.group.2 && apart(bin) > limit && bin.support * RARE >= total && bin.support > 1
        };
        let score = |bin: &Bin| {
            let apart = apart(bin);
            apart * apart * libm::sqrtf(bin.support as f32)
        };
        let Some(next) = most(bins.iter().filter(is_apart), score) else { break };
        looks.push(Look::new(next.group, average(next.sums, next.count)));
        assign(bins, &mut looks);
    }
    settle(bins, &mut looks);
    while let Some(near) = near_another(&looks) {
        looks.remove(near);
        assign(bins, &mut looks);
        settle(bins, &mut looks);
    }
    looks
}

/// Moves the colours of new looks to the average of their tiles.
fn settle(bins: &mut [Bin], looks: &mut [Look]) {
    for _ in 0..ROUNDS {
        for (index, look) in looks.iter_mut().enumerate().filter(|(_, look)| look.known.is_none()) {
            let (mut sums, mut count) = ([0; 3], 0);
            // Rare colours that join the look do not change it.
            let is_near =
                |bin: &&Bin| bin.look == Some(index) && distance(bin.lab, look.lab) < APART * NAMED;
            for bin in bins.iter().filter(is_near) {
                add(&mut sums, bin.sums);
                count += bin.count;
            }
            if count > 0 {
                *look = Look::new(look.group, average(sums, count));
            }
        }
        assign(bins, looks);
    }
}

/// Returns the index of the first new look whose colour is hardly different from that of a more frequent
/// look in its group.
fn near_another(looks: &[Look]) -> Option<usize> {
    looks.iter().position(|look| {
        let is_more = |other: &&Look| {
            other.group == look.group
                && (other.count > look.count || other.known.is_some())
                && distance(other.lab, look.lab) < APART * MERGED
        };
        look.known.is_none() && look.group.2 && looks.iter().any(|other| is_more(&other))
    })
}

/// Returns the bin with the highest score; the first of equal ones.
fn most<'a>(bins: impl Iterator<Item = &'a Bin>, score: impl Fn(&Bin) -> f32) -> Option<&'a Bin> {
    let mut best: Option<(&Bin, f32)> = None;
    for bin in bins {
        let own = score(bin);
        if best.is_none_or(|(_, best)| own > best) {
            best = Some((bin, own));
        }
    }
    best.map(|(bin, _)| bin)
}

/// Counts the tiles of the same group with a similar colour for each bin.
fn support(bins: &mut [Bin]) {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (index, bin) in bins.iter().enumerate() {
        groups.entry(bin.group).or_default().push(index);
    }
    for list in groups.values() {
        for &index in list {
            let lab = bins[index].lab;
            let near = list.iter().filter(|&&other| distance(bins[other].lab, lab) < APART / 2.0);
            bins[index].support = near.map(|&other| bins[other].count).sum();
        }
    }
}

/// Assigns each bin to the most similar look of its group, and counts the tiles of each look.
fn assign(bins: &mut [Bin], looks: &mut [Look]) {
    for look in &mut *looks {
        look.count = 0;
    }
    for bin in bins {
        let own = looks.iter().enumerate().filter(|(_, look)| look.group == bin.group);
        let apart = own.map(|(index, look)| (index, distance(look.lab, bin.lab)));
        // `min_by` returns the first of equal looks.
        bin.look = apart.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index);
        if let Some(look) = bin.look {
            looks[look].count += bin.count;
        }
    }
}

/// Adds tile kinds for the looks to the legend. Returns the legend index of each look; `None` if no
/// glyph is free. `used` is true for the kinds of tiles that keep their kind. New looks get no glyph of
/// `known`.
fn insert(
    looks: &mut [Look],
    legend: &mut Legend,
    bases: [u8; 2],
    (used, known): (&[bool; 256], &KnownKinds),
) -> Vec<Option<u8>> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for before in looks.iter().filter(|look| look.count > 0).filter_map(|look| look.known.as_ref())
    {
        taken.insert(before.glyph.clone());
        names.insert(before.name.clone());
    }
    let mut order: Vec<usize> = (0..looks.len()).filter(|&look| looks[look].count > 0).collect();
    order.small_sort_by_key(|&look| std::cmp::Reverse(looks[look].count));
    let mut kinds = vec![None; looks.len()];
    let plain = bases.map(|base| legend.kinds()[usize::from(base)].clone());
    for index in order {
        let look = &looks[index];
        let side = usize::from(look.group.0 == bases[1]);
        let (glyph, name) = if let Some(before) = &look.known {
            (Some(before.glyph.clone()), before.name.clone())
        } else {
            let is_free = |glyph: &&str| {
                let index = legend.index(glyph);
                let is_unused = |index: u8| REPLACED.contains(glyph) && !used[usize::from(index)];
                !taken.contains(*glyph) && known.is_free(glyph) && index.is_none_or(is_unused)
            };
            let class = class_by_number(look.group.1);
            let own = class.map(|class| class.glyphs[side]).filter(|glyph| !glyph.is_empty());
            let pool = POOLS[side];
            let pool = (0..pool.len()).map(|at| &pool[at..=at]);
            let glyph = own.into_iter().chain([[".", "#"][side]]).chain(pool).find(is_free);
            (glyph.map(str::to_owned), name(look, looks, side == 1, &names))
        };
        let Some(glyph) = glyph else { continue };
        let [red, green, blue] = look.color;
        let color = match class_by_number(look.group.1) {
            Some(class) if !look.group.2 => Color::parse(class.color),
            _ => Some(Color::Rgb(red, green, blue)),
        };
        taken.insert(glyph.clone());
        names.insert(name.clone());
        let drawn = glyph.clone();
        let kind = TileKind { glyph: glyph.clone(), drawn, name, color, ..plain[side].clone() };
        if legend.insert(kind) {
            kinds[index] = legend.index(&glyph);
        }
    }
    kinds
}

/// Returns a name for a look that is not in `names`.
fn name(look: &Look, looks: &[Look], is_solid: bool, names: &BTreeSet<String>) -> String {
    let color = color_name(look.lab);
    let same = looks.iter().filter(|other| other.group == look.group && other.count > 0).count();
    let wanted = match class_by_number(look.group.1) {
        Some(class) if !class.is_vague && !names.contains(class.name) => class.name.to_owned(),
        Some(class) if !class.is_vague && same < 2 => {
            format!("{} {}", if is_solid { "solid" } else { "open" }, class.name)
        }
        Some(class) => format!("{color} {}", class.name),
        None if is_solid => format!("solid {color}"),
        None => color,
    };
    let mut name = wanted.clone();
    let mut number = 1;
    while names.contains(&name) {
        number += 1;
        name = format!("{wanted} {number}");
    }
    name
}
