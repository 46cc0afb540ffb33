// Plays recorded runs of talus beside another engine (site/record.mjs) in a loop, two halves of one canvas. Loaded by main.mjs when such a
// picture comes into sight; it needs no engine. In: a canvas with `data-claim` and the address of its recording. Out: pictures, and the
// time of the run on the canvas.
import { decodeRecording, poseAt } from './recording.mjs';
import { boxMesh, capsuleMesh, frameCamera, PALETTE, Stage, writePose } from './stage.mjs';

/** By recording: what the camera holds (m), from where it looks, and whether there is a floor. */
const VIEWS = {
  wall: { target: [0, 7, 0], direction: [-0.5, 0.16, 1], width: 17, height: 17.5, floor: 0, reach: 18, fade: [16, 48] },
  chain: { target: [0, -9.9, 0], direction: [0.4, 0.05, 1], width: 9, height: 21.5, floor: null, reach: 14 },
};
/** Seconds for which the last frame stands before the run begins again. */
const HOLD = 2;
/** Links are drawn so many times as thick as they are, to be seen in a small picture. */
const THICKER = 2;
const LINKS = ['#8fa3ad', '#5f7681'];
const BRICKS = ['#c8664a', '#d57c5a', '#bb5a42', '#dd9370', '#c8664a'];

/** A gzipped file as bytes. */
async function unpack(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const stream = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Bricks in shades of rust, links in two shades of steel, the ball that they carry in rust. */
function colorOf(type, i) {
  if (type === 'box') return BRICKS[(Math.imul(i + 1, 0x9e3779b1) >>> 24) % BRICKS.length];
  return type === 'capsule' ? LINKS[i % 2] : PALETTE[0];
}

function meshOf({ type, halfExtents, radius, halfHeight }) {
  if (type === 'box') return boxMesh(halfExtents);
  return capsuleMesh(type === 'capsule' ? THICKER * radius : radius, halfHeight);
}

export class Claim {
  constructor(canvas, recording, theme) {
    this.canvas = canvas;
    this.recording = recording;
    this.view = VIEWS[canvas.dataset.claim];
    this.stage = new Stage(canvas);
    const { shapes, shapeOf, runs } = recording;
    /** By run: batches by shape. */
    this.batches = runs.map(() =>
      shapes.map((shape, k) => this.stage.batch(meshOf(shape), shapeOf.filter((one) => one === k).length)),
    );
    for (const batches of this.batches)
      for (const [k, batch] of batches.entries())
        for (let i = 0; i < batch.colors.length / 4; i++) batch.color(i, colorOf(shapes[k].type, i));
    this.pose = new Float64Array(7);
    this.time = 0;
    this.frame = this.frame.bind(this);
    this.setTheme(theme);
  }

  get seconds() {
    return this.recording.steps * this.recording.dt;
  }

  setTheme(theme) {
    this.stage.theme(theme);
    this.draw();
  }

  setSeen(seen) {
    this.seen = seen;
    if (seen && !this.request) {
      this.last = 0;
      this.request = requestAnimationFrame(this.frame);
    }
  }

  frame(now) {
    this.request = 0;
    if (!this.seen) return;
    if (this.last) this.time += Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.time > this.seconds + HOLD) this.time = 0;
    this.draw();
    this.request = requestAnimationFrame(this.frame);
  }

  /** Draws the run as it was after some seconds. */
  draw() {
    const { stage, recording, view, pose, canvas } = this;
    const { shapeOf, stride, dt, runs } = recording;
    const time = Math.min(this.time, this.seconds) / (stride * dt);
    stage.resize();
    stage.clear();
    for (const [k, run] of runs.entries()) {
      const counts = this.batches[k].map(() => 0);
      for (let body = 0; body < shapeOf.length; body++) {
        const shape = shapeOf[body];
        poseAt(recording, run.values, body, time, pose);
        writePose(this.batches[k][shape].matrices, 16 * counts[shape]++, pose);
      }
      for (const [i, batch] of this.batches[k].entries()) batch.count = counts[i];
      const aspect = canvas.width / runs.length / canvas.height;
      stage.draw({
        ...view,
        batches: this.batches[k],
        camera: frameCamera({ ...view, aspect }),
        part: [k / runs.length, (k + 1) / runs.length],
      });
    }
    canvas.dataset.seconds = Math.min(this.time, this.seconds).toFixed(1);
  }
}

/** A claim on a canvas; it runs when it is told that it is seen. */
export async function startClaim(canvas, theme) {
  const recording = decodeRecording(await unpack(canvas.dataset.recording));
  const claim = new Claim(canvas, recording, theme);
  new ResizeObserver(() => claim.draw()).observe(canvas);
  return claim;
}
