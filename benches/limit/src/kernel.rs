//! A flock without all that a simulator needs: the least work for the motion of boids.
//!
//! The boids are sorted by cell in each step and keep no identity. Separation, alignment, cohesion and a
//! random force are added with fixed weights. All boids are on open ground, on a torus.

use core::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, u32x8};

/// Radius of the neighbourhood, in tiles.
const RADIUS: f32 = 4.0;
/// Columns of cells per radius. A row is as high as the radius.
const COLUMNS_PER_RADIUS: usize = 3;
const MAX_SPEED: f32 = 3.0;
const MAX_FORCE: f32 = 12.0;
const STEP: f32 = 1.0 / 30.0;
const LANES: usize = 8;

/// The boids, with one vector per quantity.
#[derive(Default, Clone)]
struct Columns {
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
    hx: Vec<f32>,
    hy: Vec<f32>,
    random: Vec<u32>,
}

impl Columns {
    fn resize(&mut self, count: usize) {
        let Self { x, y, vx, vy, hx, hy, random } = self;
        for column in [x, y, vx, vy, hx, hy] {
            column.resize(count, 0.0);
        }
        random.resize(count, 1);
    }
}

/// A flock on a square torus.
pub struct Kernel {
    side: f32,
    columns: usize,
    rows: usize,
    /// The boids in the order of the cells. Behind them, the last vector has room for [`LANES`] boids.
    boids: Columns,
    /// The boids after the step.
    next: Columns,
    /// Index of the first boid of each cell.
    starts: Vec<u32>,
    cells: Vec<u32>,
    level: Level,
}

impl Kernel {
    /// Creates a flock with boids at random places.
    pub fn new(count: usize, side: f32) -> Self {
        let rows = ((side / RADIUS) as usize).max(1);
        let columns = ((side * COLUMNS_PER_RADIUS as f32 / RADIUS) as usize).max(1);
        let mut next = Columns::default();
        next.resize(count + LANES);
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u32 << 24) as f32
        };
        for boid in 0..count {
            (next.x[boid], next.y[boid]) = (random() * side, random() * side);
            let (x, y) = (random() - 0.5, random() - 0.5);
            let length = (x * x + y * y).sqrt().max(0.01);
            (next.hx[boid], next.hy[boid]) = (x / length, y / length);
            (next.vx[boid], next.vy[boid]) = (next.hx[boid], next.hy[boid]);
            next.random[boid] = boid as u32 * 2 + 1;
        }
        Self {
            side,
            columns,
            rows,
            boids: next.clone(),
            next,
            starts: vec![0; columns * rows + 1],
            cells: vec![0; count],
            level: Level::new(),
        }
    }

    /// Moves all boids for one frame.
    pub fn step(&mut self) {
        self.sort();
        let level = self.level;
        dispatch!(level, simd => self.advance(simd));
    }

    /// Sorts the boids into the cells.
    fn sort(&mut self) {
        let (dx, dy) = (self.columns as f32 / self.side, self.rows as f32 / self.side);
        self.starts.fill(0);
        for (cell, (x, y)) in self.cells.iter_mut().zip(self.next.x.iter().zip(&self.next.y)) {
            let column = ((x * dx) as usize).min(self.columns - 1);
            let row = ((y * dy) as usize).min(self.rows - 1);
            *cell = (row * self.columns + column) as u32;
            self.starts[*cell as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        for (boid, &cell) in self.cells.iter().enumerate() {
            let place = self.starts[cell as usize] as usize;
            self.starts[cell as usize] += 1;
            self.boids.x[place] = self.next.x[boid];
            self.boids.y[place] = self.next.y[boid];
            self.boids.vx[place] = self.next.vx[boid];
            self.boids.vy[place] = self.next.vy[boid];
            self.boids.hx[place] = self.next.hx[boid];
            self.boids.hy[place] = self.next.hy[boid];
            self.boids.random[place] = self.next.random[boid];
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    #[inline(always)]
    fn advance<S: Simd>(&mut self, simd: S) {
        for row in 0..self.rows {
            let end = self.starts[(row + 1) * self.columns] as usize;
            let mut first = self.starts[row * self.columns] as usize;
            while first < end {
                let column = self.column(first);
                let mut last = (first + LANES).min(end) - 1;
                while self.column(last) > column + COLUMNS_PER_RADIUS {
                    last -= 1;
                }
                self.advance_batch(simd, row, first, last);
                first = last + 1;
            }
        }
    }

    #[inline(always)]
    fn column(&self, boid: usize) -> usize {
        let column = (self.boids.x[boid] * (self.columns as f32 / self.side)) as usize;
        column.min(self.columns - 1)
    }

    /// Moves the boids from `first` to `last`, at most [`LANES`] in the same row of cells.
    #[inline(always)]
    fn advance_batch<S: Simd>(&mut self, simd: S, row: usize, first: usize, last: usize) {
        let boids = &self.boids;
        let (x, y) = (load(simd, &boids.x, first), load(simd, &boids.y, first));
        let mut sums = [f32x8::splat(simd, 0.0); 7];
        let (left, right) = (self.column(first), self.column(last) + COLUMNS_PER_RADIUS + 1);
        for above in [self.rows - 1, 0, 1] {
            let row = (row + above) % self.rows;
            let wraps = left < COLUMNS_PER_RADIUS
                || right > self.columns
                || (row == 0 || row + 1 == self.rows);
            let inside = left.saturating_sub(COLUMNS_PER_RADIUS)..right.min(self.columns);
            self.add(simd, &mut sums, (x, y), row, inside, wraps);
            if left < COLUMNS_PER_RADIUS {
                let beyond = self.columns + left - COLUMNS_PER_RADIUS..self.columns;
                self.add(simd, &mut sums, (x, y), row, beyond, true);
            }
            if right > self.columns {
                self.add(simd, &mut sums, (x, y), row, 0..right - self.columns, true);
            }
        }
        self.drive(simd, first, last, sums);
    }

    /// Adds the neighbours in some columns of a row of cells to the sums.
    #[inline(always)]
    fn add<S: Simd>(
        &self,
        simd: S,
        sums: &mut [f32x8<S>; 7],
        at: (f32x8<S>, f32x8<S>),
        row: usize,
        columns: Range<usize>,
        wraps: bool,
    ) {
        let start = self.starts[row * self.columns + columns.start] as usize;
        let end = self.starts[row * self.columns + columns.end] as usize;
        if wraps {
            self.add_boids::<S, true>(simd, sums, at, start..end);
        } else {
            self.add_boids::<S, false>(simd, sums, at, start..end);
        }
    }

    #[inline(always)]
    fn add_boids<S: Simd, const WRAP: bool>(
        &self,
        simd: S,
        sums: &mut [f32x8<S>; 7],
        (x, y): (f32x8<S>, f32x8<S>),
        range: Range<usize>,
    ) {
        let zero = f32x8::splat(simd, 0.0);
        let one = f32x8::splat(simd, 1.0);
        let reach = f32x8::splat(simd, RADIUS * RADIUS);
        let boids = &self.boids;
        let (xs, ys) = (&boids.x[range.clone()], &boids.y[range.clone()]);
        let (hxs, hys) = (&boids.hx[range.clone()], &boids.hy[range]);
        let mut local = *sums;
        for (((&ox, &oy), &hx), &hy) in xs.iter().zip(ys).zip(hxs).zip(hys) {
            let (mut dx, mut dy) = (f32x8::splat(simd, ox) - x, f32x8::splat(simd, oy) - y);
            if WRAP {
                (dx, dy) = (short_way(dx, self.side), short_way(dy, self.side));
            }
            let squared = dx * dx + dy * dy;
            let near = squared.simd_lt(reach) & squared.simd_gt(zero);
            let push = near.select(one / squared, zero);
            local[0] += near.select(one, zero);
            local[1] -= dx * push;
            local[2] -= dy * push;
            local[3] += near.select(f32x8::splat(simd, hx), zero);
            local[4] += near.select(f32x8::splat(simd, hy), zero);
            local[5] += near.select(dx, zero);
            local[6] += near.select(dy, zero);
        }
        *sums = local;
    }

    /// Computes the forces and the motion.
    #[inline(always)]
    fn drive<S: Simd>(&mut self, simd: S, first: usize, last: usize, sums: [f32x8<S>; 7]) {
        let zero = f32x8::splat(simd, 0.0);
        let boids = &self.boids;
        let (vx, vy, hx, hy) = (
            load(simd, &boids.vx, first),
            load(simd, &boids.vy, first),
            load(simd, &boids.hx, first),
            load(simd, &boids.hy, first),
        );
        let [count, apart_x, apart_y, heads_x, heads_y, offs_x, offs_y] = sums;
        let some = count.simd_gt(zero);
        let mean = some.select(f32x8::splat(simd, 1.0) / count, zero);
        let (cx, cy) = unit(offs_x * mean, offs_y * mean);
        let (cx, cy) = unit(cx * MAX_SPEED - vx, cy * MAX_SPEED - vy);
        let mut random = u32x8::from_slice(simd, &boids.random[first..first + LANES]);
        let wx = draw(&mut random);
        let wy = draw(&mut random);
        let fx = apart_x + some.select((heads_x * mean - hx) * 2.0, zero) + cx + wx;
        let fy = apart_y + some.select((heads_y * mean - hy) * 2.0, zero) + cy + wy;
        let (fx, fy) = limit(fx, fy, MAX_FORCE);
        let (vx, vy) = limit(vx + fx * STEP, vy + fy * STEP, MAX_SPEED);
        let (ux, uy) = unit(vx, vy);
        let moves = (vx * vx + vy * vy).simd_gt(f32x8::splat(simd, 1e-8));
        let (hx, hy) = (moves.select(ux, hx), moves.select(uy, hy));
        let (x, y) =
            (load(simd, &boids.x, first) + vx * STEP, load(simd, &boids.y, first) + vy * STEP);
        // Lanes after `last` belong to later batches, which overwrite them.
        debug_assert!(last < first + LANES);
        let next = &mut self.next;
        store(&mut next.x, first, wrap(x, self.side));
        store(&mut next.y, first, wrap(y, self.side));
        store(&mut next.vx, first, vx);
        store(&mut next.vy, first, vy);
        store(&mut next.hx, first, hx);
        store(&mut next.hy, first, hy);
        random.store_slice(&mut next.random[first..first + LANES]);
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, column: &[f32], first: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &column[first..first + LANES])
}

#[inline(always)]
fn store<S: Simd>(column: &mut [f32], first: usize, numbers: f32x8<S>) {
    numbers.store_slice(&mut column[first..first + LANES]);
}

/// Returns the shorter way around the torus.
#[inline(always)]
fn short_way<S: Simd>(difference: f32x8<S>, side: f32) -> f32x8<S> {
    let simd = difference.token();
    let (zero, around) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, side));
    let above = difference.simd_gt(f32x8::splat(simd, side / 2.0)).select(around, zero);
    let below = difference.simd_le(f32x8::splat(simd, -side / 2.0)).select(around, zero);
    difference - above + below
}

#[inline(always)]
fn wrap<S: Simd>(at: f32x8<S>, side: f32) -> f32x8<S> {
    let simd = at.token();
    let (zero, side) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, side));
    let at = at - at.simd_ge(side).select(side, zero);
    at + at.simd_lt(zero).select(side, zero)
}

#[inline(always)]
fn unit<S: Simd>(x: f32x8<S>, y: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let simd = x.token();
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let squared = x * x + y * y;
    let scale = squared.simd_gt(zero).select(one / squared.sqrt(), zero);
    (x * scale, y * scale)
}

#[inline(always)]
fn limit<S: Simd>(x: f32x8<S>, y: f32x8<S>, most: f32) -> (f32x8<S>, f32x8<S>) {
    let squared = x * x + y * y;
    let longer = squared.simd_gt(f32x8::splat(x.token(), most * most));
    let (ux, uy) = unit(x, y);
    (longer.select(ux * most, x), longer.select(uy * most, y))
}

/// Draws a number from −0.5 to 0.5 per lane (xorshift).
#[inline(always)]
fn draw<S: Simd>(random: &mut u32x8<S>) -> f32x8<S> {
    let mut next = *random;
    next = next ^ (next << 13);
    next = next ^ (next >> 17);
    next = next ^ (next << 5);
    *random = next;
    let number: f32x8<S> = (next >> 8).to_float();
    number * (1.0 / (1_u32 << 24) as f32) - 0.5
}
