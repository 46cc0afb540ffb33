// The rollback of the front page, live: two worlds get the same inputs. The one on the right is set back by a second again and again and
// computes that second anew at twice the pace; as soon as it has caught up, the hashes of both worlds are compared. In: a canvas and a
// line of text. Loaded by main.mjs.
import { createWorld } from '../../dist/slim.js';
import { BALL, BRICK, Bricks, STEPS } from './bricks.mjs';
import { boxMesh, capsuleMesh, frameCamera, PALETTE, Stage } from './stage.mjs';

/** Steps by which the right world is set back, and from one time to the next. */
export const BACK = 60;
const EVERY = 150;
const VIEW = { target: [0, 1.2, 0], direction: [0.55, 0.3, 1], width: 5.2, height: 3.6 };

const hex = (hash) => hash.toString(16).padStart(14, '0');

export class Rollback {
  constructor(canvas, line, worlds, theme) {
    this.canvas = canvas;
    this.line = line;
    this.stage = new Stage(canvas);
    this.sides = worlds.map((world) => {
      const scene = new Bricks(world);
      const batches = [
        this.stage.batch(boxMesh(BRICK), scene.bricks.length),
        this.stage.batch(capsuleMesh(BALL), scene.balls.length),
      ];
      const slots = [scene.bricks, scene.balls].map((ids) => Uint32Array.from(ids, (id) => world.indexOf(id)));
      for (const [k, batch] of batches.entries())
        for (let i = 0; i < slots[k].length; i++) batch.color(i, k ? PALETTE[3] : PALETTE[(3 * i + (i >> 2)) % 3]);
      return { scene, world, batches, slots };
    });
    this.time = 0;
    /** Seconds that the hashes stand still to be read. */
    this.same = 0;
    this.compared = 0;
    this.saved = null;
    this.frame = this.frame.bind(this);
    this.say('The right world is set back by one second every 2.5 seconds.');
    this.setTheme(theme);
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

  say(text) {
    this.line.textContent = text;
  }

  frame(now) {
    this.request = 0;
    if (!this.seen) return;
    if (this.last) this.time = Math.min(0.1, this.time + (now - this.last) / 1000);
    this.last = now;
    for (; this.time >= 1 / 60; this.time -= 1 / 60) this.tick();
    this.draw();
    this.request = requestAnimationFrame(this.frame);
  }

  /** One step on the left; on the right one, two where it is behind, and now and then the way back. */
  tick() {
    const [left, right] = this.sides;
    if (left.world.stepCount >= STEPS) {
      for (const { scene, world } of this.sides) world.restore(scene.start);
      this.saved = null;
    }
    left.scene.step();
    for (let k = 0; k < 2 && right.world.stepCount < left.world.stepCount; k++) right.scene.step();
    const { stepCount } = left.world;
    const phase = stepCount % EVERY;
    if (phase === EVERY - BACK) this.saved = right.world.snapshot(this.saved ?? undefined);
    if (phase === 0 && this.saved) {
      right.world.restore(this.saved);
      this.say(`Set back from step ${stepCount} to ${right.world.stepCount}, computing again …`);
      this.isBehind = true;
    } else if (this.isBehind && right.world.stepCount === stepCount) {
      this.isBehind = false;
      const [a, b] = this.sides.map(({ world }) => hex(world.hash()));
      this.compared++;
      this.isSame = a === b;
      this.say(`Step ${stepCount}, left ${a}, right ${b}: ${a === b ? 'the same bits' : 'different bits'}.`);
    }
  }

  draw() {
    const { stage, canvas } = this;
    stage.resize();
    stage.clear();
    for (const [k, { world, batches, slots }] of this.sides.entries()) {
      for (const [i, batch] of batches.entries()) {
        world.readMatrices(batch.matrices, { bodies: slots[i], alpha: 1 });
        batch.count = slots[i].length;
      }
      const camera = frameCamera({ ...VIEW, aspect: canvas.width / 2 / canvas.height });
      stage.draw({ batches, camera, part: [k / 2, (k + 1) / 2], reach: 5, fade: [4, 10] });
    }
  }
}

export async function startRollback(canvas, line, theme) {
  const worlds = [await createWorld({ warn: false }), await createWorld({ warn: false })];
  const rollback = new Rollback(canvas, line, worlds, theme);
  new ResizeObserver(() => rollback.draw()).observe(canvas);
  return rollback;
}
