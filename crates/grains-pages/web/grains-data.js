// Frames of grains in a page: reads their compressed numbers when they are wanted, and keeps the newest of them.
'use strict';
const grainFrames = (() => {
  // Bytes of decoded numbers that a view keeps: several frames of 100 000 grains.
  const KEPT = 64e6;
  // Code of a value that is missing.
  const NONE = 65535;

  const inflate = async (text) => {
    const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    try {
      return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch (error) {
      throw new Error('its numbers are damaged');
    }
  };
  // Planes of codes. Each is stored as differences to the code before, first all upper bytes and then all lower ones.
  const decode = async (text, planes) => {
    const bytes = await inflate(text), count = bytes.length / 2 / planes;
    return Array.from({ length: planes }, (_, plane) => {
      const codes = new Uint16Array(count), from = 2 * count * plane;
      for (let k = 0, code = 0; k < count; k += 1) {
        code = (code + 256 * bytes[from + k] + bytes[from + count + k]) & 0xffff;
        codes[k] = code;
      }
      return codes;
    });
  };

  // Frames of the view of this name.
  const open = (name) => {
    const about = page.data(name), blocks = new Map();
    let held = 0;
    // The newest blocks are at the end of the map.
    const read = (part) => {
      let entry = blocks.get(part.block);
      if (entry) blocks.delete(part.block);
      else {
        const text = document.getElementById(`block-${name}-${part.block}`).textContent;
        entry = { planes: decode(text, part.low.length), size: 2 * text.length };
        held += entry.size;
      }
      blocks.set(part.block, entry);
      for (const [block, { size }] of blocks) {
        if (held <= KEPT || block === part.block) break;
        blocks.delete(block);
        held -= size;
      }
      return entry.planes;
    };
    const segments = async (data) => {
      if (!data) return null;
      const [ends, values] = await Promise.all([read(data.ends), read(data.values)]);
      return { count: data.count, all: data.all, from: ends.slice(0, 3), to: ends.slice(3), value: values[0], ends: data.ends, values: data.values };
    };
    const walls = async (data) => {
      if (!data) return null;
      const [points, corners] = await Promise.all([read(data.points), read(data.corners)]);
      const index = Uint32Array.from(corners[1], (low, k) => 65536 * corners[0][k] + low);
      return { points, index, part: data.points, key: `${data.points.block} ${data.corners.block}`, triangles: data.triangles };
    };
    // Numbers of a frame: of grains with one column, and of what else is asked for.
    const load = async (number, { column, contacts, bonds }) => {
      const frame = about.frames[number], part = frame.columns[column];
      const [centres, radii, values, forces, bonded, mesh] = await Promise.all([
        read(frame.centres), read(frame.radii), part ? read(part) : null,
        segments(contacts ? frame.contacts : null), segments(bonds ? frame.bonds : null), walls(frame.walls),
      ]);
      return { number, frame, column, part, centres, radii: radii[0], values: values ? values[0] : null, contacts: forces, bonds: bonded, walls: mesh };
    };
    // Lowest and highest value over frames: of what `pick` returns, in one plane.
    const range = (pick, plane = 0, chosen = about.frames) => {
      let low = Infinity, high = -Infinity;
      for (const part of chosen.map(pick)) {
        if (!part || part.high[plane] < part.low[plane]) continue;
        low = Math.min(low, part.low[plane]);
        high = Math.max(high, part.high[plane]);
      }
      return [low, high];
    };
    return { about, load, range };
  };
  const value = (part, plane, code) => (code === NONE ? NaN : part.low[plane] + part.step[plane] * code);
  return { open, value, NONE };
})();
