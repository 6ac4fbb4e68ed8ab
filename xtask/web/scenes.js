// From the data of a view to meshes: grains, forces between them, columns on floors.
'use strict';
const scenes = (() => {
  if (typeof THREE === 'undefined') return {};
  // Viridis: even in lightness, and told apart by colour-blind readers.
  const VIRIDIS = ['#440154', '#472c7a', '#3b518b', '#2c718e', '#21908d', '#27ad81', '#5cc863', '#aadc32', '#fde725'].map(
    (hex) => new THREE.Color(hex),
  );
  const colour = (t, out) => {
    const at = Math.min(Math.max(t, 0), 1) * (VIRIDIS.length - 1);
    const below = Math.min(Math.floor(at), VIRIDIS.length - 2);
    return out.copy(VIRIDIS[below]).lerp(VIRIDIS[below + 1], at - below);
  };
  const unpack = (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Uint16Array(bytes.buffer);
  };
  const places = (text, bounds) => {
    const counts = unpack(text);
    return Float32Array.from(counts, (count, k) => bounds.low[k % 3] + bounds.step * count);
  };
  const values = (text) => Float32Array.from(unpack(text), (count) => count / 65535);
  const box = (points, margin) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    points.forEach((v, k) => {
      low[k % 3] = Math.min(low[k % 3], v);
      high[k % 3] = Math.max(high[k % 3], v);
    });
    return { low: low.map((v) => v - margin), high: high.map((v) => v + margin) };
  };

  // Spheres in the course of time, with walls.
  const grains = (data) => {
    const frames = data.frames.map((frame) => ({ label: frame.label, places: places(frame.places, data.bounds), values: values(frame.values) }));
    const count = frames[0].places.length / 3;
    const fine = count < 500;
    const mesh = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1, fine ? 28 : 14, fine ? 18 : 10), new THREE.MeshLambertMaterial(), count);
    const group = new THREE.Group();
    group.add(mesh);
    // The eye goes with the grains, and sees as much as they ever take up.
    const radius = (k) => data.radii[data.radii.length > 1 ? k : 0];
    const largest = data.radii.reduce((a, b) => Math.max(a, b));
    const boxes = frames.map((frame) => box(frame.places, largest));
    const middles = boxes.map(({ low, high }) => new THREE.Vector3(...high.map((v, k) => 0.5 * (v + low[k]))));
    const half = [0, 1, 2].map((k) => Math.max(...boxes.map(({ low, high }) => 0.5 * (high[k] - low[k]))));
    const middle = middles[0].toArray();
    const bounds = { low: middle.map((v, k) => v - half[k]), high: middle.map((v, k) => v + half[k]) };
    const size = 2 * Math.max(...half);
    // What stands still is seen whole, from one place.
    const edges = data.edges.length > 0;
    if (edges) {
      const lines = new THREE.BufferGeometry();
      lines.setAttribute('position', new THREE.Float32BufferAttribute(data.edges, 3));
      group.add(new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0x818b95 })));
      const all = [...boxes, box(data.edges, 0)];
      bounds.low = bounds.low.map((_, k) => Math.min(...all.map(({ low }) => low[k])));
      bounds.high = bounds.high.map((_, k) => Math.max(...all.map(({ high }) => high[k])));
    }
    for (const [point, normal] of data.walls) {
      const material = new THREE.MeshBasicMaterial({ color: 0x8c959f, transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthWrite: false });
      const wall = new THREE.Mesh(new THREE.PlaneGeometry(size, size), material);
      const [n, p, m] = [normal, point, middle].map((v) => new THREE.Vector3(...v));
      wall.position.copy(m.addScaledVector(n, n.dot(p.sub(m))));
      wall.lookAt(wall.position.clone().add(n));
      group.add(wall);
    }
    const matrix = new THREE.Matrix4(), tint = new THREE.Color();
    const show = (index) => {
      const frame = frames[index];
      for (let k = 0; k < count; k += 1) {
        matrix.makeScale(radius(k), radius(k), radius(k)).setPosition(...frame.places.subarray(3 * k, 3 * k + 3));
        mesh.setMatrixAt(k, matrix);
        mesh.setColorAt(k, k < data.grey ? tint.set('#8c959f') : colour(frame.values[k], tint));
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    };
    const slider = { name: 'time', max: frames.length - 1, start: data.telling, label: (index) => frames[index].label, set: show, middle: edges ? null : (index) => middles[index], plays: frames.length > 1 };
    // What the eye must see: from one place everything, else every frame as if it stayed where the first one is.
    const shifted = frames.flatMap((frame, f) => [...frame.places].map((v, k) => v + (edges ? 0 : middle[k % 3] - middles[f].getComponent(k % 3))));
    const points = data.walls.length > 0 ? null : Float32Array.from([...shifted, ...data.edges]);
    return { group, bounds, points, margin: largest, slider };
  };

  // Of the scale: less than that is a line that nobody sees.
  const WEAKEST = 1e-4;
  // Lines between centres, as thick and bright as the force; the strongest come first, so that weak ones can be left out.
  const network = (data) => {
    const centre = places(data.places, data.bounds), pairs = unpack(data.pairs), force = values(data.values);
    const order = [...force.keys()].filter((k) => force[k] > WEAKEST).sort((a, b) => force[b] - force[a]);
    const material = new THREE.MeshLambertMaterial();
    const mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 7, 1, true), material, order.length);
    const [from, to, along, middle, size] = Array.from({ length: 5 }, () => new THREE.Vector3());
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0), tint = new THREE.Color();
    order.forEach((k, place) => {
      from.fromArray(centre, 3 * pairs[2 * k]);
      to.fromArray(centre, 3 * pairs[2 * k + 1]);
      along.subVectors(to, from);
      const length = along.length(), thick = 0.015 + 0.2 * force[k];
      turn.setFromUnitVectors(up, along.divideScalar(length));
      mesh.setMatrixAt(place, matrix.compose(middle.addVectors(from, to).multiplyScalar(0.5), turn, size.set(thick, length, thick)));
    });
    // Strong forces stand out from the paper: bright on a dark page, dark on a light one.
    const recolour = () => {
      order.forEach((k, place) => mesh.setColorAt(place, colour(page.isDark() ? force[k] : 1 - force[k], tint)));
      mesh.instanceColor.needsUpdate = true;
    };
    recolour();
    const group = new THREE.Group();
    group.add(mesh);
    const least = (step) => 0.005 * step;
    const set = (step) => {
      const beyond = order.findIndex((k) => force[k] < least(step));
      mesh.count = beyond < 0 ? order.length : beyond;
    };
    const label = (step) => `${mesh.count} forces above ${page.number(Math.max(least(step), WEAKEST) * data.most, 2)}`;
    return { group, bounds: box(centre, 0.5), points: centre, margin: 0.2, slider: { name: 'least force shown', max: 199, start: 0, label, set, plays: false }, recolour };
  };

  // Words beside a floor, one line for each part between commas.
  const words = (text, at, height) => {
    const lines = text.split(', ');
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    const font = '600 44px system-ui, "DejaVu Sans", sans-serif';
    context.font = font;
    canvas.width = Math.ceil(Math.max(...lines.map((line) => context.measureText(line).width))) + 16;
    canvas.height = 56 * lines.length;
    context.font = font;
    context.textAlign = 'center';
    context.fillStyle = page.colour('--ink');
    lines.forEach((line, k) => context.fillText(line, canvas.width / 2, 44 + 56 * k));
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
    const scale = height / 56;
    sprite.scale.set(scale * canvas.width, scale * canvas.height, 1);
    sprite.position.set(...at);
    return sprite;
  };

  // Square floors side by side, one column of forces on each place, all on one scale.
  const floors = (data) => {
    const columns = [...new Set(data.floors.map((floor) => floor.column))], rows = [...new Set(data.floors.map((floor) => floor.row))];
    const first = values(data.floors[0].values), side = Math.round(Math.sqrt(first.length)), pitch = 1.35 * side, high = 0.6 * side;
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial(), data.floors.length * first.length);
    const matrix = new THREE.Matrix4(), tint = new THREE.Color(), group = new THREE.Group();
    group.add(mesh);
    let place = 0;
    for (const floor of data.floors) {
      const [x0, y0] = [pitch * rows.indexOf(floor.row), -pitch * columns.indexOf(floor.column)];
      values(floor.values).forEach((value, k) => {
        const height = Math.max(high * value, 0.05);
        matrix.makeScale(0.94, 0.94, height).setPosition(x0 + Math.floor(k / side) + 0.5, y0 + (k % side) + 0.5, 0.5 * height);
        mesh.setMatrixAt(place, matrix);
        mesh.setColorAt(place, colour(value, tint));
        place += 1;
      });
    }
    const last = [pitch * (rows.length - 1) + side, -pitch * (columns.length - 1)];
    rows.forEach((name, k) => group.add(words(name, [pitch * k + 0.5 * side, 1.35 * side, 0.5 * side], 0.14 * side)));
    columns.forEach((name, k) => group.add(words(name.replace(' ', ', '), [-0.55 * side, -pitch * k + 0.5 * side, 0.1 * side], 0.14 * side)));
    return { group, bounds: { low: [-0.9 * side, last[1], 0], high: [last[0], 1.3 * side, 0.6 * high] }, slider: null };
  };

  return { grains, network, floors };
})();
