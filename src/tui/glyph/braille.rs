//! Braille patterns: two columns of four dots in a cell.

/// Number of dots in a cell, along x and y.
pub const DOTS: (i32, i32) = (2, 4);

/// The bit of each dot in a pattern, by column and row.
pub const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The code point of the empty Braille pattern.
const EMPTY: u32 = 0x2800;

/// Returns the Braille character with these dots. [`BITS`] lists the bit of each dot.
pub fn symbol(dots: u8) -> char {
    char::from_u32(EMPTY + u32::from(dots)).unwrap_or(' ')
}

/// Returns the dots of a Braille character, as bits of [`BITS`]. Returns `None` for other symbols.
pub fn dots(symbol: &str) -> Option<u8> {
    u8::try_from(u32::from(symbol.chars().next()?).checked_sub(EMPTY)?).ok()
}
