// Which grains the eye sees, the nearest first. A bed of 100 000 grains shows about a fifth of them: the rest is outside
// the picture or behind others, and a processor that stands in for a graphics card would spend most of its time on it.
'use strict';
const grainOrder = (() => {
  // Cells of the picture by radius of a typical grain: with larger ones fewer grains are known to be hidden.
  const CELLS = 3;
  const LAYERS = 65536;

  // `room` is the largest number of grains.
  const make = (room) => {
    const places = new Float32Array(4 * room), seen = new Float32Array(3 * room), depth = new Float32Array(room);
    const found = new Uint32Array(room), order = new Uint32Array(room), layer = new Uint16Array(room), starts = new Uint32Array(LAYERS + 1);
    let count = 0, covered = new Uint8Array(0);

    // Takes places and radii in the lengths of the scene; grains without a place or radius are left out.
    const take = ({ frame, centres, radii }, place) => {
      count = 0;
      const axes = [0, 1, 2].map((d) => [(frame.centres.low[d] - place.middle[d]) * place.scale, frame.centres.step[d] * place.scale, centres[d]]);
      const [least, step] = [frame.radii.low[0] * place.scale, frame.radii.step[0] * place.scale];
      for (let k = 0; k < frame.count; k += 1) {
        const missing = radii[k] === grainFrames.NONE || axes.some((axis) => axis[2][k] === grainFrames.NONE);
        for (let d = 0; d < 3; d += 1) places[4 * k + d] = axes[d][0] + axes[d][1] * axes[d][2][k];
        places[4 * k + 3] = missing ? -1 : least + step * radii[k];
      }
      count = frame.count;
    };

    // Grains before the eye and inside the picture: their places in it, in pixels, and their depths.
    const project = (camera, width, height, cut, shrink) => {
      const m = camera.matrixWorldInverse.elements, focus = 0.5 * height * camera.projectionMatrix.elements[5];
      let kept = 0, near = Infinity, far = 0, sum = 0, largest = 0;
      for (let k = 0; k < count; k += 1) {
        const [x, y, z, r] = [places[4 * k], places[4 * k + 1], places[4 * k + 2], places[4 * k + 3] * shrink];
        if (r < 0 || cut.x * x + cut.y * y + cut.z * z > cut.w) continue;
        const away = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
        if (away <= r || away <= camera.near) continue;
        const size = focus / away, radius = r * size;
        const across = 0.5 * width + (m[0] * x + m[4] * y + m[8] * z + m[12]) * size, down = 0.5 * height - (m[1] * x + m[5] * y + m[9] * z + m[13]) * size;
        if (across + 1.2 * radius < 0 || across - 1.2 * radius > width || down + 1.2 * radius < 0 || down - 1.2 * radius > height) continue;
        found[kept] = k;
        depth[kept] = away;
        seen[3 * kept] = across;
        seen[3 * kept + 1] = down;
        seen[3 * kept + 2] = radius;
        near = Math.min(near, away);
        far = Math.max(far, away);
        sum += radius;
        largest = Math.max(largest, radius);
        kept += 1;
      }
      return { kept, near, far, typical: sum / Math.max(kept, 1), largest };
    };
    // Sorts by counting, in layers.
    const sort = ({ kept, near, far }) => {
      const scale = far > near ? (LAYERS - 1) / (far - near) : 0;
      starts.fill(0);
      for (let k = 0; k < kept; k += 1) {
        layer[k] = (depth[k] - near) * scale;
        starts[layer[k] + 1] += 1;
      }
      for (let k = 0; k < LAYERS; k += 1) starts[k + 1] += starts[k];
      for (let k = 0; k < kept; k += 1) {
        order[starts[layer[k]]] = k;
        starts[layer[k]] += 1;
      }
    };
    // Leaves out grains of which all cells are covered by nearer ones.
    const uncovered = ({ kept, typical }, width, height) => {
      const cell = Math.max(1.5, typical / CELLS), wide = Math.ceil(width / cell), high = Math.ceil(height / cell);
      if (covered.length < wide * high) covered = new Uint8Array(wide * high);
      covered.fill(0);
      let left = 0;
      for (let place = 0; place < kept; place += 1) {
        const at = 3 * order[place], x = seen[at] / cell, y = seen[at + 1] / cell, r = seen[at + 2] / cell;
        const x0 = Math.max(Math.floor(x - r), 0), x1 = Math.min(Math.floor(x + r), wide - 1), y0 = Math.max(Math.floor(y - r), 0), y1 = Math.min(Math.floor(y + r), high - 1);
        let hidden = true;
        for (let row = y0; row <= y1 && hidden; row += 1) for (let k = row * wide + x0; k <= row * wide + x1; k += 1) if (covered[k] === 0) { hidden = false; break; }
        if (hidden) continue;
        order[left] = order[place];
        left += 1;
        // Cells whose farthest corner is inside: half a diagonal is 0.71.
        const inner = 0.97 * r - 0.71;
        if (inner <= 0) continue;
        for (let row = y0; row <= y1; row += 1) {
          const rest = inner * inner - (row + 0.5 - y) ** 2;
          if (rest <= 0) continue;
          const half = Math.sqrt(rest), to = Math.min(Math.floor(x + half - 0.5), wide - 1);
          for (let k = Math.max(Math.ceil(x - half - 0.5), 0); k <= to; k += 1) covered[row * wide + k] = 1;
        }
      }
      return left;
    };
    // Numbers of the grains that are seen, and the radius of the largest one in pixels.
    const look = (camera, width, height, cut, shrink) => {
      const projected = project(camera, width, height, cut, shrink);
      sort(projected);
      const left = uncovered(projected, width, height);
      for (let place = 0; place < left; place += 1) order[place] = found[order[place]];
      return { order, left, largest: projected.largest };
    };
    return { take, look };
  };
  return { make };
})();
