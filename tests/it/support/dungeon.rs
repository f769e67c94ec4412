//! Large maps of rooms and corridors, like those of roguelike games.

/// Size of the area that holds one room, in tiles.
const ROOM_AREA: (usize, usize) = (24, 16);

/// Draws a dungeon: rooms connected to their neighbours by corridors of width 1.
pub fn rows(width: usize, height: usize) -> String {
    let mut tiles = vec![vec![b'#'; width]; height];
    let mut state = 20_u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut dig = |x: std::ops::RangeInclusive<usize>, y: std::ops::RangeInclusive<usize>| {
        for row in &mut tiles[y] {
            row[x.clone()].fill(b'.');
        }
    };
    let mut above: Vec<(usize, usize)> = Vec::new();
    for top in (0..height.saturating_sub(ROOM_AREA.1)).step_by(ROOM_AREA.1) {
        let mut row: Vec<(usize, usize)> = Vec::new();
        for left in (0..width.saturating_sub(ROOM_AREA.0)).step_by(ROOM_AREA.0) {
            let (x, y) = (left + 1 + random(8), top + 1 + random(5));
            dig(x..=x + 2 + random(10), y..=y + 1 + random(6));
            if let Some(&(west, door)) = row.last() {
                dig(west..=x, y..=y);
                dig(west..=west, door.min(y)..=door.max(y));
            }
            if let Some(&(north, door)) = above.get(row.len())
                && random(3) > 0
            {
                dig(x.min(north)..=x.max(north), door..=door);
                dig(x..=x, door..=y);
            }
            row.push((x, y));
        }
        above = row;
    }
    tiles.iter().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect()
}
