// Recorded runs as small files: poses of the same bodies in several engines at a fixed rate. `encodeRecording` is for site/record.mjs,
// `decodeRecording` for the page and the tests. Layout: length of a JSON header (u32), the header, then by run, channel (x, y, z, and three
// parts of the rotation) and byte (low, high) the differences from frame to frame, so that gzip finds long runs of zeros. The file is that,
// gzipped. Nothing here needs a page or Node.

/** Steps of a position, m, and of a part of a rotation. */
const PLACE = 0.001;
const TURN = 1 / 8191;
const CHANNELS = 6;

/** A pose as whole numbers: three of the place, three of the rotation, whose fourth is not negative and follows from them. */
function quantize([x, y, z, qx, qy, qz, qw]) {
  const sign = qw < 0 ? -1 : 1;
  const limited = (value) => Math.max(-32768, Math.min(32767, Math.round(value)));
  return [x / PLACE, y / PLACE, z / PLACE, (sign * qx) / TURN, (sign * qy) / TURN, (sign * qz) / TURN].map(limited);
}

/** `about` has `runs` of `{ name, version, frames }`, a frame being a list of poses `[x, y, z, qx, qy, qz, qw]`. */
export function encodeRecording({ runs, ...about }) {
  const [bodies, frames] = [about.shapeOf.length, runs[0].frames.length];
  const header = { ...about, bodies, frames, runs: runs.map(({ name, version }) => ({ name, version })) };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const plane = frames * bodies;
  const bytes = new Uint8Array(4 + head.length + runs.length * CHANNELS * 2 * plane);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  let at = 4 + head.length;
  for (const run of runs) {
    const poses = run.frames.map((frame) => frame.map(quantize));
    for (let channel = 0; channel < CHANNELS; channel++) {
      for (let body = 0; body < bodies; body++) {
        let last = 0;
        for (let frame = 0; frame < frames; frame++) {
          const value = poses[frame][body][channel];
          // Zigzag: small differences of either sign have a high byte of zero.
          const difference = ((value - last) << 16) >> 16;
          const folded = ((difference << 1) ^ (difference >> 31)) & 0xffff;
          bytes[at + body * frames + frame] = folded & 255;
          bytes[at + plane + body * frames + frame] = folded >> 8;
          last = value;
        }
      }
      at += 2 * plane;
    }
  }
  return bytes;
}

/**
 * What `encodeRecording` wrote.
 * @returns the header, and in `runs` for each engine `values`: six whole numbers by frame and body
 */
export function decodeRecording(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const { bodies, frames } = header;
  const plane = frames * bodies;
  let at = 4 + length;
  for (const run of header.runs) {
    run.values = new Int16Array(plane * CHANNELS);
    for (let channel = 0; channel < CHANNELS; channel++, at += 2 * plane) {
      for (let body = 0; body < bodies; body++) {
        let last = 0;
        for (let frame = 0; frame < frames; frame++) {
          const folded = bytes[at + body * frames + frame] | (bytes[at + plane + body * frames + frame] << 8);
          last = ((last + ((folded >> 1) ^ -(folded & 1))) << 16) >> 16;
          run.values[(frame * bodies + body) * CHANNELS + channel] = last;
        }
      }
    }
  }
  return header;
}

/**
 * Pose of a body between two frames, into `out`: x, y, z and a unit quaternion.
 * @param time in frames, from 0 to `frames - 1`
 */
export function poseAt({ bodies, frames }, values, body, time, out) {
  const frame = Math.min(frames - 1, Math.floor(time));
  const share = Math.min(1, time - frame);
  const a = (frame * bodies + body) * CHANNELS;
  const b = (Math.min(frames - 1, frame + 1) * bodies + body) * CHANNELS;
  for (let k = 0; k < 3; k++) out[k] = PLACE * (values[a + k] + share * (values[b + k] - values[a + k]));
  const fourth = (i) => Math.sqrt(Math.max(0, 1 - TURN * TURN * (values[i + 3] ** 2 + values[i + 4] ** 2 + values[i + 5] ** 2)));
  const [wa, wb] = [fourth(a), fourth(b)];
  // The nearer of the two signs: `q` and `-q` are the same rotation.
  let dot = wa * wb;
  for (let k = 3; k < 6; k++) dot += TURN * TURN * values[a + k] * values[b + k];
  const sign = dot < 0 ? -1 : 1;
  let square = 0;
  for (let k = 3; k < 7; k++) {
    const [from, to] = k < 6 ? [TURN * values[a + k], TURN * values[b + k]] : [wa, wb];
    out[k] = from + share * (sign * to - from);
    square += out[k] * out[k];
  }
  for (let k = 3; k < 7; k++) out[k] /= Math.sqrt(square);
  return out;
}
