//! Where each field lies in the viewport of the update: beside each other, so that all raster units have work.

/// Lays rectangles out in shelves; returns each one's corner and the size of it all.
///
/// `sizes`: width and height of each in pixels; `most`: the widest viewport the device allows.
pub fn pack(sizes: &[(u32, u32)], most: u32) -> (Vec<(u32, u32)>, (u32, u32)) {
    let area: u64 = sizes
        .iter()
        .map(|&(width, height)| u64::from(width) * u64::from(height))
        .sum();
    let widest = sizes.iter().map(|size| size.0).max().unwrap_or(1);
    let shelf = (area.isqrt() as u32)
        .next_power_of_two()
        .clamp(widest, most.max(widest));
    let (mut x, mut y, mut shelf_height) = (0, 0, 0);
    let mut corners = Vec::with_capacity(sizes.len());
    for &(width, height) in sizes {
        if x + width > shelf {
            (x, y, shelf_height) = (0, y + shelf_height, 0);
        }
        corners.push((x, y));
        x += width;
        shelf_height = shelf_height.max(height);
    }
    (corners, (shelf, (y + shelf_height).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_lie_apart_and_inside() {
        let sizes: Vec<_> = (0..60)
            .map(|i| (8 + 2 * (i % 40), 5 + (i * 7) % 50))
            .collect();
        let (corners, (width, height)) = pack(&sizes, 16384);
        let boxes: Vec<_> = corners
            .iter()
            .zip(&sizes)
            .map(|(c, s)| (c.0, c.1, c.0 + s.0, c.1 + s.1))
            .collect();
        for (i, a) in boxes.iter().enumerate() {
            assert!(a.2 <= width && a.3 <= height);
            let apart =
                |b: &(u32, u32, u32, u32)| a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
            assert!(boxes[..i].iter().all(apart));
        }
    }
}
