// Shapes of a frame: balls, lines between them, walls, and what is in the margin, as meshes of three.js with shaders of their own.
// Codes of 16 bits go to the shaders as they are stored, as fractions of 65535; uniforms have their scales. Lengths are
// those of the scene, in which everything is about as large as 1.
'use strict';
const grainShapes = (() => {
  if (typeof THREE === 'undefined') return {};
  // Viridis: even in lightness, and told apart by colour-blind readers.
  const VIRIDIS = ['#440154', '#472c7a', '#3b518b', '#2c718e', '#21908d', '#27ad81', '#5cc863', '#aadc32', '#fde725'];
  // Colours of labels, as pictures have them (`picture/colouring.rs`); more labels begin again.
  const LABELS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#882255', '#999933', '#6a51a3', '#8c564b', '#9edae5'];
  const GREY = '#8c959f', PLAIN = '#5b8db8';
  // `#rrggbb`, or `#rgb` as some colours of pages are.
  const rgb = (hex) => new THREE.Vector3(...[0, 1, 2].map((k) => parseInt(hex.length < 7 ? hex[k + 1].repeat(2) : hex.slice(2 * k + 1, 2 * k + 3), 16) / 255));
  // Four vertices in a row are the corners of one square.
  const CORNER = 'vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1);';
  // Colour at a fraction of the way through a list of colours, as the list has them.
  const between = (colours, part) => {
    const at = part * (colours.length - 1), below = Math.min(Math.floor(at), colours.length - 2);
    return `#${new THREE.Color().setRGB(...rgb(colours[below]).lerp(rgb(colours[below + 1]), at - below).toArray(), THREE.SRGBColorSpace).getHexString()}`;
  };
  // Vectors that are given up by the rasteriser: none of their coordinates is inside.
  const AWAY = 'gl_Position = vec4(2.0, 2.0, 2.0, 1.0)';
  // Light comes from above the reader's left shoulder.
  const SUN = 'const vec3 sun = vec3(-0.371, 0.557, 0.743);';
  // The largest code, as a fraction, means that there is no value.
  const MISSING = 'bool missing(float code) { return code > 0.99999; }';

  // A ball is a square that faces the eye. Its fragments have the colour and the depth of the hemisphere before it. With
  // POINT it is a point of the rasteriser, which takes half as long.
  const BALL_VERTEX = `precision highp float;
    in vec4 ball; in vec4 colour;
    uniform mat4 projectionMatrix; uniform float high;
    flat out vec3 tint; flat out vec3 middle;
    #ifndef POINT
    out vec2 at;
    #endif
    void main() {
      float r = ball.w, away = length(ball.xyz);
      vec3 back = -ball.xyz / away;
      tint = colour.rgb;
      middle = vec3(ball.z, r * back.z, r);
      #ifdef POINT
      gl_PointSize = r * projectionMatrix[1][1] * high / -ball.z;
      gl_Position = projectionMatrix * vec4(ball.xyz, 1.0);
      #else
      ${CORNER}
      at = 2.0 * corner - 1.0;
      vec3 right = normalize(vec3(back.z, 0.0, -back.x)), top = cross(back, right);
      gl_Position = projectionMatrix * vec4(ball.xyz + (right * at.x + top * at.y) * (r * inversesqrt(1.0 - r * r / (away * away))), 1.0);
      #endif
    }`;
  const BALL_FRAGMENT = `precision highp float;
    #ifndef POINT
    in vec2 at;
    #endif
    flat in vec3 tint; flat in vec3 middle;
    uniform mat4 projectionMatrix;
    out vec4 colour;
    ${SUN}
    void main() {
      #ifdef POINT
      vec2 at = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
      #endif
      float q = dot(at, at);
      if (q > 1.0) discard;
      float n = sqrt(1.0 - q), z = middle.x + middle.y * n;
      colour = vec4(tint * (0.38 + 0.2 * n + 0.5 * max(0.0, dot(vec3(at, n), sun))), 1.0);
      gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2][2] + projectionMatrix[3][2] / z);
    }`;

  // A line is a ribbon that faces the eye, shaded as a rod. Negative values have the second colour.
  const LINE_VERTEX = `precision highp float;
    in vec3 from; in vec3 to; in float value;
    uniform mat4 modelViewMatrix, projectionMatrix;
    uniform vec3 fromLow, fromSpan, toLow, toSpan, pale, tints[2]; uniform vec4 cut; uniform vec2 measure, widths;
    out float across; flat out vec3 tint;
    ${MISSING}
    void main() {
      ${CORNER}
      vec3 a = fromLow + fromSpan * from, b = toLow + toSpan * to;
      ${AWAY};
      if (dot(cut.xyz, 0.5 * (a + b)) > cut.w || missing(max(max(value, max(from.x, max(from.y, from.z))), max(to.x, max(to.y, to.z))))) return;
      float strength = measure.x + measure.y * value;
      vec3 along = mat3(modelViewMatrix) * (b - a), place = (modelViewMatrix * vec4(mix(a, b, corner.y), 1.0)).xyz, side = cross(along, place);
      float much = length(side);
      if (much == 0.0) return;
      across = 2.0 * corner.x - 1.0;
      tint = mix(pale, strength < 0.0 ? tints[1] : tints[0], widths.y > 0.0 ? 0.3 + 0.7 * sqrt(min(abs(strength), 1.0)) : 1.0);
      gl_Position = projectionMatrix * vec4(place + side / much * (across * (widths.x + widths.y * abs(strength))), 1.0);
    }`;
  const LINE_FRAGMENT = `precision highp float;
    in float across; flat in vec3 tint; out vec4 colour;
    void main() { colour = vec4(tint * (0.65 + 0.35 * sqrt(max(0.0, 1.0 - across * across))), 1.0); }`;

  // Walls are as dark from behind as from the front, and denser where they are seen from the side.
  const WALL_VERTEX = `precision highp float;
    in vec3 position; uniform mat4 modelViewMatrix, projectionMatrix; out vec3 place;
    void main() { place = (modelViewMatrix * vec4(position, 1.0)).xyz; gl_Position = projectionMatrix * vec4(place, 1.0); }`;
  const WALL_FRAGMENT = `precision highp float;
    in vec3 place; uniform vec3 tint; out vec4 colour;
    ${SUN}
    void main() {
      vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
      float facing = abs(dot(normal, normalize(place)));
      colour = vec4(tint * (0.75 + 0.35 * abs(dot(normal, sun))), mix(0.42, 0.2, facing));
    }`;

  // Pixels of a canvas along the lower edge of the picture, which it takes a `part` of.
  const AXES_VERTEX = `precision highp float;
    uniform vec2 part;
    void main() { ${CORNER} gl_Position = vec4(2.0 * corner * part - 1.0, 0.0, 1.0); }`;
  const AXES_FRAGMENT = `precision highp float;
    uniform sampler2D map; out vec4 colour;
    void main() { colour = texelFetch(map, ivec2(gl_FragCoord.xy), 0); }`;

  const material = (vertexShader, fragmentShader, uniforms, more = {}) => new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader, fragmentShader, ...more,
    uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
  });
  // Squares, and room for as many as any frame has. Each corner has the numbers of its square: renderers without a graphics
  // card draw instances one by one, which took a thousand times as long.
  const SQUARE = [0, 1, 2, 2, 1, 3];
  const squares = (room, attributes) => {
    const geometry = new THREE.BufferGeometry(), index = new Uint32Array(6 * room);
    for (let k = 0; k < room; k += 1) SQUARE.forEach((corner, at) => { index[6 * k + at] = 4 * k + corner; });
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    for (const [name, size] of Object.entries(attributes)) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Uint16Array(4 * size * room), size, true));
    }
    geometry.setDrawRange(0, 0);
    return geometry;
  };
  const fill = (geometry, name, planes, count) => {
    const attribute = geometry.getAttribute(name), { array } = attribute, size = planes.length;
    planes.forEach((codes, plane) => {
      for (let k = 0, at = plane; k < count; k += 1) for (let corner = 0; corner < 4; corner += 1, at += size) array[at] = codes[k];
    });
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, 4 * size * count);
    attribute.needsUpdate = true;
  };
  const mesh = (geometry, look) => {
    const shape = new THREE.Mesh(geometry, look);
    shape.frustumCulled = false;
    return shape;
  };
  // Scale of points as the scene has it: what code 0 stands for, and 65535 steps.
  const scaled = (part, place, first = 0) => {
    const axes = [0, 1, 2];
    return [
      new THREE.Vector3(...axes.map((d) => (part.low[first + d] - place.middle[d]) * place.scale)),
      new THREE.Vector3(...axes.map((d) => 65535 * part.step[first + d] * place.scale)),
    ];
  };
  const set = (shape, values) => Object.entries(values).forEach(([name, value]) => { shape.material.uniforms[name].value = value; });
  const NOWHERE = () => new THREE.Vector4(0, 0, 0, 1);
  const zero = () => new THREE.Vector3();

  // Pixels across the largest grain that is drawn as a point: all graphics cards draw such points. A point whose centre is
  // beyond the edge of the picture is not drawn at all, which nobody sees of small ones.
  const LARGEST_POINT = 60, LARGEST_AT_EDGE = 6;
  // Steps of the colours of numbers.
  const STEPS = 255;
  const balls = (room) => {
    const order = grainOrder.make(room), colours = new Uint32Array(room), tints = new Uint32Array(4 * room);
    const squared = squares(room, {}), pointed = new THREE.BufferGeometry();
    const attributes = {
      ball: new THREE.BufferAttribute(new Float32Array(16 * room), 4),
      colour: new THREE.BufferAttribute(new Uint8Array(tints.buffer), 4, true),
    };
    for (const [name, attribute] of Object.entries(attributes)) for (const geometry of [squared, pointed]) geometry.setAttribute(name, attribute);
    const look = material(BALL_VERTEX, BALL_FRAGMENT, { high: 1 }), small = material(BALL_VERTEX, BALL_FRAGMENT, { high: 1 }, { defines: { POINT: '' } });
    const shape = new THREE.Group(), square = mesh(squared, look), point = new THREE.Points(pointed, small);
    point.frustumCulled = false;
    shape.add(square, point);
    let count = 0, seen = 0, codes = null;
    return {
      shape,
      count: () => count,
      seen: () => seen,
      show: (shown, place) => {
        count = shown.frame.count;
        codes = shown.values;
        order.take(shown, place);
      },
      // Numbers from the lowest to the highest of the range, labels by their number, one colour without a column.
      colour: (part, names, range) => {
        const bytes = new Uint8Array(colours.buffer), write = (hex, at) => rgb(hex).multiplyScalar(255).toArray(bytes, 4 * at);
        // The first entries of the colours are where bytes become words; those of the grains follow.
        const words = (all) => all.map((hex) => { write(hex, 0); return colours[0]; });
        const [grey, plain] = words([GREY, PLAIN]);
        if (!part) {
          colours.fill(plain);
        } else if (names) {
          const table = words(LABELS);
          for (let k = 0; k < count; k += 1) colours[k] = codes[k] === grainFrames.NONE ? grey : table[codes[k] % table.length];
        } else {
          const table = words(Array.from({ length: STEPS + 1 }, (_, k) => between(VIRIDIS, k / STEPS)));
          // Equal values have the colour in the middle.
          const wide = range[1] - range[0], scale = wide > 0 ? STEPS / wide : 0;
          const low = wide > 0 ? scale * (part.low[0] - range[0]) : 0.5 * STEPS, step = scale * part.step[0];
          for (let k = 0; k < count; k += 1) {
            colours[k] = codes[k] === grainFrames.NONE ? grey : table[Math.min(Math.max(Math.round(low + step * codes[k]), 0), STEPS)];
          }
        }
      },
      // Chooses what the camera sees, for a picture of this many pixels. `how` has the cut, the size of grains by their true
      // size, and whether the picture is one of many while the view turns.
      look: (camera, width, height, how) => {
        const found = order.look(camera, width, height, how), points = 2 * found.largest < (found.whole ? LARGEST_POINT : LARGEST_AT_EDGE), each = points ? 1 : 4;
        order.gather(attributes.ball.array, tints, colours, each);
        for (const attribute of Object.values(attributes)) {
          attribute.clearUpdateRanges();
          attribute.addUpdateRange(0, 4 * each * found.left);
          attribute.needsUpdate = true;
        }
        seen = found.left;
        pointed.setDrawRange(0, seen);
        squared.setDrawRange(0, 6 * seen);
        [point.visible, square.visible] = [points, !points];
        small.uniforms.high.value = height;
      },
    };
  };

  const lines = (room) => {
    const shape = mesh(squares(room, { from: 3, to: 3, value: 1 }), material(LINE_VERTEX, LINE_FRAGMENT, {
      fromLow: zero(), fromSpan: zero(), toLow: zero(), toSpan: zero(), pale: zero(), tints: [zero(), zero()], cut: NOWHERE(), measure: [0, 0], widths: [0, 0],
    }, { side: THREE.DoubleSide }));
    return {
      shape,
      count: () => shape.geometry.drawRange.count / 6,
      // `most` is the value of the thickest line, `widths` the half widths of a line without value and what the thickest has more.
      show: (data, place, most, widths) => {
        shape.geometry.setDrawRange(0, data ? 6 * data.count : 0);
        if (!data) return;
        fill(shape.geometry, 'from', data.from, data.count);
        fill(shape.geometry, 'to', data.to, data.count);
        fill(shape.geometry, 'value', [data.value], data.count);
        const [fromLow, fromSpan] = scaled(data.ends, place), [toLow, toSpan] = scaled(data.ends, place, 3);
        set(shape, { fromLow, fromSpan, toLow, toSpan, widths, measure: [data.values.low[0] / most, (65535 * data.values.step[0]) / most] });
      },
      // Colours of lines of zero or positive values, and of negative ones, and the colour that weak lines fade into.
      tint: (tints, pale) => set(shape, { tints: tints.map(rgb), pale: rgb(pale) }),
    };
  };

  // Larger meshes are drawn without their edges, which take long to find.
  const EDGED = 20000;
  const walls = () => {
    const group = new THREE.Group();
    const look = material(WALL_VERTEX, WALL_FRAGMENT, { tint: rgb(GREY) }, { transparent: true, depthWrite: false, side: THREE.DoubleSide });
    const ink = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 });
    let shown = null;
    const empty = () => {
      group.children.forEach((child) => child.geometry.dispose());
      group.clear();
    };
    return {
      shape: group,
      show: (data, place) => {
        const key = data ? data.key : null;
        if (key === shown) return;
        shown = key;
        empty();
        if (!data || data.index.length === 0) return;
        const geometry = new THREE.BufferGeometry(), points = new Float32Array(3 * data.points[0].length);
        data.points.forEach((codes, d) => codes.forEach((code, k) => {
          points[3 * k + d] = (grainFrames.value(data.part, d, code) - place.middle[d]) * place.scale;
        }));
        geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
        geometry.setIndex(new THREE.BufferAttribute(data.index, 1));
        group.add(mesh(geometry, look));
        if (data.triangles <= EDGED) group.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 20), ink));
      },
      tint: (hex) => {
        look.uniforms.tint.value = rgb(hex);
        ink.color.set(hex);
      },
    };
  };

  // Directions of the axes, time and a scale bar along the lower edge, drawn by a canvas that WebGL shows: with a second
  // canvas over the picture a browser takes about twice as long for each picture.
  const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
  // Longest scale bar as a part of the width of the picture.
  const LONGEST_BAR = 0.25;
  // The largest of 1, 2 and 5 times a power of ten that is at most `most`.
  const roundLength = (most) => {
    const power = 10 ** Math.floor(Math.log10(most));
    return [5, 2, 1].map((digit) => digit * power).find((length) => length <= most) || power;
  };
  // A length in the unit with the fewest digits, if it is in metres.
  const lengthText = (length, unit) => {
    const units = unit === 'm' ? [[1e3, 'km'], [1, 'm'], [1e-3, 'mm'], [1e-6, '\u00b5m'], [1e-9, 'nm']] : [];
    const [size, name] = units.find(([size]) => length >= 0.99 * size) || [1, unit];
    return `${page.number(length / size, 3)} ${name}`;
  };
  const margin = () => {
    const canvas = page.element('canvas', {}), context = canvas.getContext('2d', { willReadFrequently: true });
    const map = new THREE.CanvasTexture(canvas), over = { transparent: true, premultipliedAlpha: true, depthTest: false, depthWrite: false };
    const shape = mesh(squares(1, {}), material(AXES_VERTEX, AXES_FRAGMENT, { map, part: [0, 0] }, over));
    // No other sizes of the texture are made, and its edges are not mixed with black.
    [map.generateMipmaps, map.minFilter, map.premultiplyAlpha] = [false, map.magFilter, true];
    shape.geometry.setDrawRange(0, 6);
    shape.renderOrder = 1;
    const turned = new THREE.Quaternion();
    let wide = 0, tall = 0, long = 0, half = 0, written = null, colours = { ink: '#000', faint: '#000' };

    // Arrows with names, those towards the reader above the others.
    const axes = (camera) => {
      const arrows = ['#d1495b', '#2a9d5c', '#3f7fd9'].map((colour, k) => {
        const tip = new THREE.Vector3().setComponent(k, 1).transformDirection(camera.matrixWorldInverse);
        return { colour, name: 'xyz'[k], tip };
      });
      context.lineWidth = 2.5;
      context.font = `600 13px ${FONT}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      for (const { colour, name, tip } of arrows.sort((a, b) => a.tip.z - b.tip.z)) {
        context.strokeStyle = colour;
        context.beginPath();
        context.moveTo(half, half);
        context.lineTo(half + long * tip.x, half - long * tip.y);
        context.stroke();
        context.fillStyle = colour;
        context.fillText(name, half + (long + 11) * tip.x, half - (long + 11) * tip.y);
      }
    };
    // A bar of `length` pixels at the right, with `words` above it, and the time to the left of it.
    const words = ({ time, length, bar }) => {
      const right = wide - 12, low = 2 * half - 10;
      [context.strokeStyle, context.fillStyle, context.lineWidth] = [colours.faint, colours.ink, 2];
      context.font = `13px ${FONT}`;
      context.textBaseline = 'alphabetic';
      context.beginPath();
      context.moveTo(right - length, low - 4);
      context.lineTo(right - length, low);
      context.lineTo(right, low);
      context.lineTo(right, low - 4);
      context.stroke();
      context.textAlign = 'right';
      context.fillText(bar, right, low - 8);
      context.textAlign = 'center';
      context.fillText(time, 0.5 * (2 * half + right - LONGEST_BAR * wide), low);
    };
    return {
      shape,
      // Takes the size of the picture in pixels of the page, and its own pixels.
      resize: (width, height, { width: across, height: down }) => {
        const ratio = down / height;
        [wide, tall] = [width, height];
        long = Math.min(30, height / 12);
        half = long + 18;
        canvas.width = across;
        canvas.height = Math.ceil(2 * half * ratio);
        context.scale(ratio, ratio);
        set(shape, { part: [1, canvas.height / down] });
        map.dispose();
        written = null;
      },
      // Draws anew if the camera has turned or moved, or the time is another one. `scale` is the length of the scene's unit
      // by the unit of the frames, at the point that the camera looks at, `away` from it.
      draw: (camera, { time, away, scale, unit }) => {
        const pixel = (2 * away * Math.tan((0.5 * camera.fov * Math.PI) / 180)) / (tall * scale);
        const metres = roundLength(LONGEST_BAR * wide * pixel), key = `${time} ${pixel}`;
        if (written === key && turned.equals(camera.quaternion)) return;
        turned.copy(camera.quaternion);
        written = key;
        map.needsUpdate = true;
        context.clearRect(0, 0, wide, 2 * half);
        axes(camera);
        if (Number.isFinite(metres)) words({ time, length: metres / pixel, bar: lengthText(metres, unit) });
      },
      tint: (given) => {
        colours = given;
        written = null;
      },
    };
  };

  return { balls, lines, walls, margin, set, VIRIDIS, LABELS, GREY, FONT };
})();
