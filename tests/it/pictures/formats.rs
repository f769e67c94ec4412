//! Every shipped map in every format, read back by independent readers.

use std::io::{Cursor, Read};
use std::sync::Arc;

use tilewalk::render::Format;
use tilewalk::render::run::{Job, Range};
use tilewalk::render::scene::View;
use tilewalk::scenario::Scenario;

use super::bytes;
use crate::support::maps;

/// Width of the pictures, in pixels.
const WIDTH: u32 = 320;

/// The frames of films.
const FRAMES: Range = Range { from: 2, to: 10, every: 4 };

fn view() -> View {
    View { width: Some(WIDTH), ..View::default() }
}

/// Returns the file of a picture of frame 2, or of a film of three frames.
fn written(scenario: &Arc<Scenario>, view: &View, format: Format) -> Vec<u8> {
    let last = if format.is_film() { FRAMES.to } else { FRAMES.from };
    let job =
        Job { range: Range { to: last, ..FRAMES }, ..Job::of(Arc::clone(scenario), view, format) };
    bytes(&job)
}

/// Calls a function with the files of all shipped maps in a format. Each file is written twice, to the same
/// bytes.
fn each_map(format: Format, mut check: impl FnMut(&str, &Arc<Scenario>, &[u8])) {
    let view = View { is_even: format == Format::Y4m, ..view() };
    for name in maps::names() {
        let name = name.as_str();
        let scenario = maps::scenario(name);
        let bytes = written(&scenario, &view, format);
        assert!(bytes == written(&scenario, &view, format), "{name}: the bytes differ");
        check(name, &scenario, &bytes);
    }
}

#[test]
fn every_map_is_an_svg_document_that_a_renderer_reads() {
    each_map(Format::Svg, |name, _, bytes| {
        let tree = usvg::Tree::from_data(bytes, &usvg::Options::default()).expect(name);
        assert_eq!(tree.size().width(), WIDTH as f32, "{name}");
        assert!(tree.root().children().len() > 10, "{name}");
        let bounds = tree.root().abs_bounding_box();
        assert!(bounds.width() >= WIDTH as f32 * 0.9, "{name}: {bounds:?}");
    });
}

#[test]
fn every_map_is_a_pdf_of_one_page_with_valid_offsets_and_content() {
    each_map(Format::Pdf, |name, _, bytes| {
        let text = String::from_utf8_lossy(bytes);
        assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"), "{name}");
        assert!(text.contains("/MediaBox [0 0 240 "), "{name}: 320 pixels are 240 points");
        let find = |needle: &[u8]| bytes.windows(needle.len()).position(|part| part == needle);
        let start = text.rsplit("startxref").next().expect("an offset");
        let table: usize =
            start.split_whitespace().next().and_then(|it| it.parse().ok()).expect(name);
        assert!(bytes[table..].starts_with(b"xref"), "{name}");
        let begin = find(b"stream\n").expect("a stream") + 7;
        let mut content = String::new();
        flate2::read::ZlibDecoder::new(&bytes[begin..]).read_to_string(&mut content).expect(name);
        let fills = content.lines().filter(|line| *line == "f").count();
        assert!(fills > 10, "{name}: {fills}");
        let moves = content.lines().filter(|line| line.ends_with(" m")).count();
        assert!(moves >= fills, "{name}");
    });
}

/// Returns width, height and pixels of a PNG file.
pub fn png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("an image");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    pixels.truncate(info.buffer_size());
    (info.width, info.height, pixels)
}

#[test]
fn every_map_is_a_png_image() {
    each_map(Format::Png, |name, _, bytes| {
        let (width, height, pixels) = png(bytes);
        assert_eq!(width, WIDTH, "{name}");
        assert_eq!(pixels.len(), (width * height * 3) as usize, "{name}");
        let background = &pixels[..3];
        let others = pixels.chunks(3).filter(|pixel| *pixel != background).count();
        assert!(others > 300, "{name}: {others} pixels differ from the background");
    });
}

/// Returns the size of a GIF, and for each frame its rectangle and delay.
pub fn gif(bytes: &[u8]) -> ([u16; 2], Vec<([u16; 4], u16)>) {
    let mut reader = gif::DecodeOptions::new().read_info(bytes).expect("a GIF file");
    let size = [reader.width(), reader.height()];
    let mut frames = Vec::new();
    while let Some(frame) = reader.read_next_frame().expect("a frame") {
        let area = [frame.left, frame.top, frame.width, frame.height];
        assert!(area[0] + area[2] <= size[0] && area[1] + area[3] <= size[1]);
        frames.push((area, frame.delay));
    }
    (size, frames)
}

#[test]
fn every_map_is_a_gif_whose_frames_store_what_changed() {
    each_map(Format::Gif, |name, scenario, bytes| {
        let (size, frames) = gif(bytes);
        assert_eq!(u32::from(size[0]), WIDTH, "{name}");
        assert_eq!(frames.len(), 3, "{name}");
        assert_eq!(frames[0].0, [0, 0, size[0], size[1]], "{name}");
        let duration: u16 = frames.iter().map(|(_, delay)| delay).sum();
        let expected = (scenario.tick() * 4.0 * 3.0 * 100.0).round();
        assert!((f64::from(duration) - expected).abs() <= 1.0, "{name}: {duration} {expected}");
        let area =
            |frame: usize| frames[frame].0[2..].iter().map(|it| u32::from(*it)).product::<u32>();
        assert!(area(1) < area(0), "{name}: the second frame stores only what changed");
    });
}

/// A frame-by-frame reader of GIF files shows the same pixels as the picture of the last frame.
#[test]
fn the_frames_of_a_gif_add_up_to_the_picture_of_the_last_frame() {
    let scenario = maps::scenario("castle");
    let film = written(&scenario, &view(), Format::Gif);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(&film[..]).expect("a GIF file");
    let width = usize::from(reader.width());
    let mut screen = vec![0_u8; width * usize::from(reader.height()) * 4];
    while let Some(frame) = reader.read_next_frame().expect("a frame") {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (row, line) in frame.buffer.chunks(usize::from(frame.width) * 4).enumerate() {
            for (column, pixel) in line.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let at = ((top + row) * width + left + column) * 4;
                screen[at..at + 4].copy_from_slice(pixel);
            }
        }
    }
    let view = view();
    let last = Range { from: FRAMES.to, to: FRAMES.to, every: 1 };
    let job = Job { range: last, ..Job::of(scenario, &view, Format::Png) };
    let (_, _, expected) = png(&bytes(&job));
    let mut far = 0;
    for (shown, exact) in screen.chunks(4).zip(expected.chunks(3)) {
        let difference = shown.iter().zip(exact).map(|(a, b)| a.abs_diff(*b)).max();
        far += usize::from(difference > Some(40));
    }
    assert!(far * 500 < width * width, "{far} pixels differ by more than the palette");
}

/// An event of a recording of a terminal.
#[derive(Debug)]
struct Event {
    seconds: f64,
    code: String,
    data: String,
}

/// Parses a recording of a terminal, in the format asciicast v3.
fn cast(bytes: &[u8]) -> ([u64; 2], Vec<Event>) {
    let text = core::str::from_utf8(bytes).expect("UTF-8");
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("each line is JSON"));
    let header = lines.next().expect("a header");
    assert_eq!(header["version"], 3);
    let size = ["cols", "rows"].map(|side| header["term"][side].as_u64().expect("a size"));
    let events = lines.map(|event| Event {
        seconds: event[0].as_f64().expect("seconds"),
        code: event[1].as_str().expect("a code").to_owned(),
        data: event[2].as_str().expect("data").to_owned(),
    });
    (size, events.collect())
}

#[test]
fn every_map_is_a_recording_of_a_terminal() {
    each_map(Format::Cast, |name, scenario, bytes| {
        let (size, events) = cast(bytes);
        let map = scenario.map();
        assert_eq!(size, [u64::from(map.width()), u64::from(map.height())], "{name}");
        let frames = events.iter().filter(|event| event.code == "o").count();
        assert_eq!(frames, 4, "{name}: three frames and the reset");
        let duration: f64 = events.iter().map(|event| event.seconds).sum();
        assert!((duration - scenario.tick() * 12.0).abs() < 0.002, "{name}: {duration}");
        assert_eq!(events.last().map(|event| event.code.as_str()), Some("x"), "{name}");
        assert!(events[0].data.contains("\x1b[2J"), "{name}");
    });
}

#[test]
fn every_map_is_text() {
    each_map(Format::Txt, |name, scenario, bytes| {
        let text = core::str::from_utf8(bytes).expect("UTF-8");
        assert_eq!(text.lines().count(), scenario.map().height() as usize, "{name}");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(scenario.map().width() as usize), "{name}");
    });
}

#[test]
fn every_map_is_a_film_of_raw_frames() {
    each_map(Format::Y4m, |name, _, bytes| {
        let end = bytes.iter().position(|byte| *byte == b'\n').expect("a header");
        let header = core::str::from_utf8(&bytes[..end]).expect("text");
        let number = |letter: char| -> usize {
            let word = header.split(' ').find_map(|word| word.strip_prefix(letter));
            word.and_then(|word| word.parse().ok()).expect("a number")
        };
        assert!(header.starts_with("YUV4MPEG2 ") && header.contains(" C444"), "{name}: {header}");
        let (width, height) = (number('W'), number('H'));
        assert!(width % 2 == 0 && height % 2 == 0, "{name}: {header}");
        assert_eq!(bytes.len() - end - 1, 3 * ("FRAME\n".len() + 3 * width * height), "{name}");
    });
}

#[test]
fn the_longer_side_has_1600_pixels_without_a_width() {
    for name in ["castle", "rectangle", "crossing", "big"] {
        let scenario = maps::scenario(name);
        let bytes = written(&scenario, &View::default(), Format::Svg);
        let text = String::from_utf8(bytes).expect("text");
        let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("a document");
        let longer = tree.size().width().max(tree.size().height());
        assert_eq!(longer, 1600.0, "{name}");
    }
}

#[test]
fn the_legend_and_the_title_name_what_a_picture_shows() {
    let view = View { title: Some("The chase".to_owned()), ..View::default() };
    let bytes = written(&maps::scenario("castle"), &view, Format::Svg);
    let text = String::from_utf8(bytes).expect("text");
    let document = roxmltree::Document::parse(&text).expect("a document");
    let labels: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("aria-label")).collect();
    for expected in ["The chase", "frame 2   0.10 s", "guard", "wall", "trail of 5 s"] {
        assert!(labels.contains(&expected), "{expected} is not in {labels:?}");
    }
    assert!(labels.iter().any(|label| label.ends_with(" tiles")), "the scale bar: {labels:?}");
}
