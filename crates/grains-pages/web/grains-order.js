// Which grains the eye sees, the nearest first. A bed of 100 000 grains shows about a fifth of them: the rest is outside
// the picture or behind others, and a processor that stands in for a graphics card would spend most of its time on it.
'use strict';
const grainOrder = (() => {
  // Cells of the picture by radius of a typical grain: with larger ones fewer grains are known to be hidden.
  const CELLS = 3;
  // Layers into which grains are sorted: a bed is hardly a thousand grains deep.
  const LAYERS = 16384;

  // `room` is the largest number of grains.
  const make = (room) => {
    const places = new Float32Array(4 * room), flat = new Float32Array(3 * room), seen = new Float32Array(3 * room);
    const found = new Uint32Array(room), order = new Uint32Array(room), layer = new Uint16Array(room), starts = new Uint32Array(LAYERS + 1);
    let count = 0, left = 0, shrunken = 1, covered = new Uint8Array(0);

    // Takes places and radii in the lengths of the scene; grains without a place or radius are left out.
    const take = ({ frame, centres, radii }, place) => {
      const { NONE } = grainFrames;
      count = frame.count;
      centres.forEach((codes, d) => {
        const low = (frame.centres.low[d] - place.middle[d]) * place.scale, step = frame.centres.step[d] * place.scale;
        for (let k = 0; k < count; k += 1) places[4 * k + d] = low + step * codes[k];
      });
      const [x, y, z] = centres, low = frame.radii.low[0] * place.scale, step = frame.radii.step[0] * place.scale;
      for (let k = 0; k < count; k += 1) {
        const missing = radii[k] === NONE || x[k] === NONE || y[k] === NONE || z[k] === NONE;
        places[4 * k + 3] = missing ? -1 : low + step * radii[k];
      }
    };

    // Grains before the eye and inside the picture: their places in it, in pixels, and their depths.
    const project = (camera, width, height, cut, shrink) => {
      const m = camera.matrixWorldInverse.elements, focus = 0.5 * height * camera.projectionMatrix.elements[5];
      let kept = 0, near = Infinity, far = 0, sum = 0, largest = 0, whole = true;
      for (let k = 0; k < count; k += 1) {
        const x = places[4 * k], y = places[4 * k + 1], z = places[4 * k + 2], r = places[4 * k + 3] * shrink;
        if (r < 0 || cut.x * x + cut.y * y + cut.z * z > cut.w) continue;
        const away = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
        if (away <= r || away <= camera.near) continue;
        const aside = m[0] * x + m[4] * y + m[8] * z + m[12], above = m[1] * x + m[5] * y + m[9] * z + m[13];
        const size = focus / away, radius = r * size, across = 0.5 * width + aside * size, down = 0.5 * height - above * size;
        if (across + 1.2 * radius < 0 || across - 1.2 * radius > width || down + 1.2 * radius < 0 || down - 1.2 * radius > height) continue;
        whole = whole && across >= radius && across <= width - radius && down >= radius && down <= height - radius;
        found[kept] = k;
        flat[3 * kept] = aside;
        flat[3 * kept + 1] = above;
        flat[3 * kept + 2] = -away;
        seen[3 * kept] = across;
        seen[3 * kept + 1] = down;
        seen[3 * kept + 2] = radius;
        near = Math.min(near, away);
        far = Math.max(far, away);
        sum += radius;
        largest = Math.max(largest, radius);
        kept += 1;
      }
      return { kept, near, far, typical: sum / Math.max(kept, 1), largest, whole };
    };
    // Sorts by counting, in layers.
    const sort = ({ kept, near, far }) => {
      const scale = far > near ? (LAYERS - 1) / (far - near) : 0;
      starts.fill(0);
      for (let k = 0; k < kept; k += 1) {
        layer[k] = (-flat[3 * k + 2] - near) * scale;
        starts[layer[k] + 1] += 1;
      }
      for (let k = 0; k < LAYERS; k += 1) starts[k + 1] += starts[k];
      for (let k = 0; k < kept; k += 1) {
        order[starts[layer[k]]] = k;
        starts[layer[k]] += 1;
      }
    };
    // Leaves out grains of which all cells are covered by nearer ones. In haste a cell counts as covered when most of it is;
    // gaps of a pixel may then show what is behind, and half as many grains are left.
    const uncovered = ({ kept, typical }, width, height, haste) => {
      const cell = Math.max(1.5, typical / CELLS), wide = Math.ceil(width / cell), high = Math.ceil(height / cell);
      if (covered.length < wide * high) covered = new Uint8Array(wide * high);
      covered.fill(0);
      left = 0;
      for (let place = 0; place < kept; place += 1) {
        const at = 3 * order[place], x = seen[at] / cell, y = seen[at + 1] / cell, r = seen[at + 2] / cell;
        const x0 = Math.max(Math.floor(x - r), 0), x1 = Math.min(Math.floor(x + r), wide - 1);
        const y0 = Math.max(Math.floor(y - r), 0), y1 = Math.min(Math.floor(y + r), high - 1);
        let hidden = true;
        for (let row = y0; row <= y1 && hidden; row += 1) {
          for (let k = row * wide + x0; k <= row * wide + x1 && hidden; k += 1) hidden = covered[k] !== 0;
        }
        if (hidden) continue;
        order[left] = order[place];
        left += 1;
        // Half a diagonal of a cell is 0.71.
        const inner = haste ? r - 0.3 : 0.97 * r - 0.71;
        if (inner <= 0) continue;
        for (let row = y0; row <= y1; row += 1) {
          const rest = inner * inner - (row + 0.5 - y) ** 2;
          if (rest <= 0) continue;
          const half = Math.sqrt(rest), to = Math.min(Math.floor(x + half - 0.5), wide - 1);
          for (let k = Math.max(Math.ceil(x - half - 0.5), 0); k <= to; k += 1) covered[row * wide + k] = 1;
        }
      }
    };
    // Finds the grains that the camera sees. Returns their number, the radius of the largest one in pixels, and whether no
    // grain reaches over the edge of the picture.
    const look = (camera, width, height, { cut, shrink, haste }) => {
      const projected = project(camera, width, height, cut, shrink);
      shrunken = shrink;
      sort(projected);
      uncovered(projected, width, height, haste);
      return { left, largest: projected.largest, whole: projected.whole };
    };
    // Writes places as the eye sees them, radii and colours of the grains that were found, each several times.
    const gather = (balls, tints, colours, copies) => {
      for (let place = 0, at = 0; place < left; place += 1) {
        const from = order[place], k = found[from], radius = places[4 * k + 3] * shrunken;
        for (let copy = 0; copy < copies; copy += 1, at += 1) {
          balls[4 * at] = flat[3 * from];
          balls[4 * at + 1] = flat[3 * from + 1];
          balls[4 * at + 2] = flat[3 * from + 2];
          balls[4 * at + 3] = radius;
          tints[at] = colours[k];
        }
      }
    };
    return { take, look, gather };
  };
  return { make };
})();
