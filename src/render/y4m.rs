//! Writes films as raw frames for an encoder: YUV4MPEG2 with 4:4:4 sampling, ITU-R BT.601 colours of
//! limited range.

use std::io::{self, Write};

/// Writes the header of a film. `rate` is the number of frames per second as a fraction.
///
/// # Errors
/// Returns the error of `out`.
pub fn begin(out: &mut dyn Write, size: [u32; 2], rate: [u64; 2]) -> io::Result<()> {
    let ([width, height], [frames, seconds]) = (size, rate);
    writeln!(out, "YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 C444")
}

/// Writes a frame. `pixels` has four bytes for each pixel, `planes` is reused by the next frame.
///
/// # Errors
/// Returns the error of `out`.
pub fn frame(out: &mut dyn Write, pixels: &[u8], planes: &mut Vec<u8>) -> io::Result<()> {
    out.write_all(b"FRAME\n")?;
    // Weights of red, green and blue in 1/256, and the offset of each plane.
    for (weights, offset) in [([66, 129, 25], 16), ([-38, -74, 112], 128), ([112, -94, -18], 128)] {
        planes.clear();
        planes.extend(pixels.chunks_exact(4).map(|pixel| {
            let sum: i32 = weights.iter().zip(pixel).map(|(w, c)| w * i32::from(*c)).sum();
            (((sum + 128) >> 8) + offset) as u8
        }));
        out.write_all(planes)?;
    }
    Ok(())
}
