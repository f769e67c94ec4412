//! Plain words for colours, and how different two colours look.

/// Factor of the differences in hue and saturation, compared with those in lightness.
const CHROMA: f32 = 1.7;

/// Saturation below which a colour is a shade of gray.
const GRAY: f32 = 0.032;

/// Hues of colour words, in degrees of `OKLab`: the upper limit of each word.
const HUES: [(f32, &str); 9] = [
    (12.0, "pink"),
    (45.0, "red"),
    (80.0, "orange"),
    (112.0, "yellow"),
    (165.0, "green"),
    (220.0, "cyan"),
    (290.0, "blue"),
    (330.0, "purple"),
    (360.0, "pink"),
];

/// Converts a colour to `OKLab`: lightness from 0 to 1, and two axes for hue and saturation.
pub fn lab(color: [u8; 3]) -> [f32; 3] {
    let linear = |channel: u8| {
        let channel = f32::from(channel) / 255.0;
        if channel <= 0.04045 {
            channel / 12.92
        } else {
            libm::powf((channel + 0.055) / 1.055, 2.4)
        }
    };
    let [red, green, blue] = color.map(linear);
    let long = libm::cbrtf(0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue);
    let medium = libm::cbrtf(0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue);
    let short = libm::cbrtf(0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue);
    [
        0.210_454_26 * long + 0.793_617_8 * medium - 0.004_072_047 * short,
        1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short,
        0.025_904_037 * long + 0.782_771_77 * medium - 0.808_675_77 * short,
    ]
}

/// Returns how different two colours in `OKLab` look.
pub fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let square = |axis: usize| (a[axis] - b[axis]) * (a[axis] - b[axis]);
    libm::sqrtf(square(0) + CHROMA * CHROMA * (square(1) + square(2)))
}

/// Returns plain words for a colour in `OKLab`, such as `dark green`.
pub fn color_name([lightness, red, yellow]: [f32; 3]) -> String {
    let saturation = libm::sqrtf(red * red + yellow * yellow);
    if saturation < GRAY {
        let shades = [(0.22, "black"), (0.45, "dark gray"), (0.72, "gray"), (0.92, "light gray")];
        let shade = shades.iter().find(|(limit, _)| lightness < *limit);
        return shade.map_or("white", |(_, word)| word).to_owned();
    }
    let hue = libm::atan2f(yellow, red).to_degrees();
    let hue = if hue < 0.0 { hue + 360.0 } else { hue };
    let word = HUES.iter().find(|(limit, _)| hue < *limit).map_or("pink", |(_, word)| word);
    // Brown is a dark or dull orange, beige a light one.
    let (word, dark, light) = match word {
        "orange" | "yellow" if lightness >= 0.7 && saturation < 0.11 && hue < 100.0 => {
            ("beige", 0.0, 2.0)
        }
        "orange" if lightness < 0.68 || saturation < 0.11 => ("brown", 0.45, 0.68),
        "yellow" if lightness < 0.62 || saturation < 0.09 => ("olive", 0.42, 0.7),
        "pink" if lightness < 0.6 => ("red", 0.42, 0.8),
        word => (word, 0.47, 0.78),
    };
    let shade = if lightness < dark {
        "dark "
    } else if lightness > light {
        "light "
    } else {
        ""
    };
    format!("{shade}{word}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_plain_names() {
        for (color, name) in [
            ([20, 60, 20], "dark green"),
            ([80, 160, 60], "green"),
            ([40, 90, 200], "blue"),
            ([120, 80, 40], "brown"),
            ([235, 215, 165], "beige"),
            ([200, 170, 110], "beige"),
            ([128, 128, 128], "gray"),
            ([250, 250, 250], "white"),
            ([200, 30, 30], "red"),
            ([5, 5, 5], "black"),
        ] {
            assert_eq!(color_name(lab(color)), name, "{color:?}");
        }
    }

    #[test]
    fn white_black_and_red_have_the_coordinates_that_oklab_defines() {
        let near = |color, [l, a, b]: [f32; 3]| {
            let found = lab(color);
            let is_near = |(x, y): (f32, f32)| (x - y).abs() < 0.001;
            assert!(
                [(found[0], l), (found[1], a), (found[2], b)].into_iter().all(is_near),
                "{found:?}"
            );
        };
        near([255; 3], [1.0, 0.0, 0.0]);
        near([0; 3], [0.0; 3]);
        near([255, 0, 0], [0.628, 0.225, 0.126]);
    }
}
