// The live picture at the top of the front page: a pile of stones that comes to rest (pile.mjs). It steps only while it is seen and only
// until all stones sleep, follows the theme, and a click or a touch pushes what it hits. In: a canvas and the line below it. Loaded by main.mjs.
import { createWorld } from '../../dist/slim.js';
import { KINDS, Pile, STONES, stoneShapes } from './pile.mjs';
import { frameCamera, hullMesh, PALETTE, rayOf, Stage } from './stage.mjs';

/** A push, N s per kg of the stone that is hit, and how much of it goes upwards. */
const PUSH = 6;
const LIFT = 0.5;
/** What the camera holds, m. */
const VIEW = { target: [0, 0.95, 0], direction: [0.15, 0.42, 1], width: 10.2, height: 6 };

export class Hero {
  constructor(canvas, line, world, theme) {
    this.canvas = canvas;
    this.line = line;
    this.stage = new Stage(canvas);
    this.world = world;
    this.batches = stoneShapes().map((points) => this.stage.batch(hullMesh(points), Math.ceil(STONES / KINDS)));
    for (const [kind, batch] of this.batches.entries())
      for (let i = 0; i < batch.colors.length / 4; i++) batch.color(i, PALETTE[(kind + 2 * i + (i % 3)) % PALETTE.length]);
    this.pile = new Pile(world);
    this.seen = true;
    this.frame = this.frame.bind(this);
    this.drop();
    this.setTheme(theme);
  }

  /** Begins again with an empty floor. */
  drop() {
    this.pile.reset();
    this.slots = this.batches.map((batch) => new Uint32Array(batch.colors.length / 4).fill(0xffffffff));
    this.slotsOf = 0;
    this.run();
  }

  setTheme(theme) {
    this.stage.theme(theme);
    this.draw();
  }

  setSeen(seen) {
    this.seen = seen;
    this.run();
  }

  /** The line below the picture. */
  say(rests) {
    const text = rests ? `All ${STONES} stones rest. Click one to push it.` : 'Simulated as you read. Click a stone to push it.';
    if (this.line.textContent !== text) this.line.textContent = text;
  }

  /** All stones are there and sleep. */
  get isAtRest() {
    return this.pile.ids.length === STONES && this.world.sleepingCount === STONES;
  }

  run() {
    if (this.request || !this.seen || document.hidden) return;
    this.last = 0;
    this.request = requestAnimationFrame(this.frame);
  }

  frame(now) {
    this.request = 0;
    if (!this.seen || document.hidden) return;
    const seconds = this.last ? (now - this.last) / 1000 : 0;
    this.last = now;
    // A slow device shows the pile in slow motion rather than in jerks.
    this.world.advance(seconds, { maxSteps: 3, maxMs: 12, beforeStep: () => this.pile.pour() });
    this.draw();
    const rests = this.isAtRest;
    this.say(rests);
    if (!rests) this.request = requestAnimationFrame(this.frame);
  }

  draw() {
    const { stage, world, pile, batches, slots } = this;
    for (; this.slotsOf < pile.ids.length; this.slotsOf++) {
      const kind = pile.kinds[this.slotsOf];
      slots[kind][Math.floor(this.slotsOf / KINDS)] = world.indexOf(pile.ids[this.slotsOf]);
    }
    for (const [kind, batch] of batches.entries()) {
      world.readMatrices(batch.matrices, { bodies: slots[kind], alpha: this.isAtRest ? 1 : world.alpha });
      batch.count = slots[kind].length;
    }
    stage.resize();
    this.camera = frameCamera({ ...VIEW, aspect: this.canvas.width / this.canvas.height });
    stage.clear();
    stage.draw({ batches, camera: this.camera, reach: 8, fade: [2.6, 6.8] });
  }

  /** Pushes the stone at a point of the page; whether there is one. */
  push(clientX, clientY) {
    const { world, canvas } = this;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const ray = rayOf(this.camera, (2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
    const hit = world.castRay(ray.origin, ray.direction, { maxDistance: 100 });
    if (!hit || world.getType(hit.body) !== 'dynamic') return false;
    const size = PUSH * world.getMass(hit.body);
    const [x, y, z] = ray.direction;
    world.applyImpulse(hit.body, [size * x, size * (Math.max(0, y) + LIFT), size * z], hit.point);
    this.run();
    return true;
  }
}

/** A hero on a canvas, running. */
export async function startHero(canvas, line, theme) {
  // As many as are in the world from the start to the end: nothing grows meanwhile.
  const world = await createWorld({ bodyCapacity: STONES + 8, warn: false });
  const hero = new Hero(canvas, line, world, theme);
  canvas.addEventListener('click', (event) => hero.push(event.clientX, event.clientY));
  document.addEventListener('visibilitychange', () => hero.run());
  new ResizeObserver(() => hero.draw()).observe(canvas);
  return hero;
}
