//! Encoding of PNG files.

/// Encodes a bitmap of red, green and blue, row by row from the top.
pub(crate) fn encoded(pixels: &[u8], width: usize, height: usize) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}

/// Encodes a bitmap of even width and height at half its resolution: each pixel is the mean of two by two pixels.
pub(crate) fn halved(pixels: &[u8], width: usize, height: usize) -> Result<Vec<u8>, png::EncodingError> {
    let mut half = Vec::with_capacity(pixels.len() / 4);
    for row in 0..height / 2 {
        for column in 0..width / 2 {
            for channel in 0..3 {
                let at = |dx: usize, dy: usize| pixels[3 * ((2 * row + dy) * width + 2 * column + dx) + channel];
                let sum = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)].map(u16::from).iter().sum::<u16>();
                half.push(((sum + 2) / 4) as u8);
            }
        }
    }
    encoded(&half, width / 2, height / 2)
}
