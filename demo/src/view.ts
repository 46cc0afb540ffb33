// The picture: one canvas, one camera, one pane a simulation (side by side on wide screens, one above the other on tall
// ones), shadows, light and dark. What draws it can be changed as it runs (drawing.ts).
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { BodiesView } from './bodies_view';
import type { Cast } from './cast';
import { type Coloring, GROUND, isLive, paint } from './coloring';
import type { Drawing, Rect } from './drawing';
import { Overlay, type Shown } from './overlay';
import { paletteOf } from './palettes';
import type { Box } from './scene_frames';
import type { Simulation } from './simulation';

export type Theme = 'light' | 'dark';
type Vector = readonly [number, number, number];

const SKY: Record<Theme, number> = { light: 0xe9eef3, dark: 0x181c23 };

/**
 * Pixels per CSS pixel at most, and texels of the edge of the shadow map, by level of effort. Resolution goes first: without shadows
 * things seem to float, so the last level still has a spot below each body.
 */
const LEVELS = [
  [2, 2048],
  [1, 2048],
  [0.75, 1024],
  [0.6, 512],
  [0.6, 0],
] as const;
interface Part extends Rect {
  /** What nothing lies over, CSS pixels from the top left of the canvas. */
  free: Rect;
}

/** What lies over the edges of the canvas, CSS pixels. */
export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the light comes from: to the side of the camera, rad, and its height over its distance. */
const SUN_SIDE = 0.65;
const SUN_HEIGHT = 0.95;

/** How far the camera may come round for the sake of a tall screen, rad. */
const FACES = [0, 0.25, -0.25, 0.5, -0.5];

/** Part of the free area that a subject may take up. */
const FILL = 0.92;

/** How long a view that a hand has turned stays so, ms, and how fast it then comes round, 1/s. */
const TURNED_MS = 4000;
const FOLLOW_RATE = 2;

export const LEAST_EFFORT = LEVELS.length - 1;

/** What is drawn beside the bodies of the world: how it is drawn, and whether it is painted. */
interface Extra {
  cast: Cast;
  view: BodiesView;
  isPainted: boolean;
}

/** One simulation in its part of the canvas. */
export class Pane {
  readonly scene = new Scene();
  readonly bodies: BodiesView;
  readonly overlay: Overlay;
  readonly sun = new DirectionalLight(0xfff4e6, 2.6);
  private extras: Extra[] = [];
  private readonly sky = new HemisphereLight(0xdfeaff, 0x8a8478, 1.5);
  /** Where the light comes from. */
  private readonly from = new Vector3(0.45, 1, 0.35);
  private painted: Coloring | null = null;
  private theme: Theme = 'light';

  constructor(
    readonly simulation: Simulation,
    private readonly drawing: Drawing,
  ) {
    const { world, groundHeight } = simulation;
    const moves = (slot: number) => world.velocities[16 * slot + 3]! > 0;
    const at = (slot: number) => world.positions.subarray(4 * slot, 4 * slot + 3);
    this.bodies = new BodiesView(drawing.bodies(), groundHeight === null ? null : { height: groundHeight, moves, at });
    this.overlay = new Overlay(drawing);
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.03;
    this.scene.add(this.bodies.group, this.overlay.group, sun, sun.target, this.sky);
    // All of it, whoever has seen what before.
    for (const slot of simulation.looks.keys()) simulation.changed.add(slot);
    simulation.jumped = true;
    this.take();
  }

  /** Takes over what the simulation has done since the last call. */
  take(): void {
    const { simulation, bodies } = this;
    bodies.store.take(simulation.world, simulation.jumped);
    if (simulation.changed.size > 0) {
      for (const slot of simulation.changed) bodies.set(slot, simulation.looks.get(slot) ?? []);
      simulation.changed.clear();
      bodies.refresh();
      this.painted = null;
    }
    this.takeExtras(simulation.jumped);
    simulation.jumped = false;
  }

  private takeExtras(jumped: boolean): void {
    const { casts } = this.simulation;
    if (this.extras.length !== casts.length || this.extras.some(({ cast }, i) => cast !== casts[i])) {
      for (const { view } of this.extras) {
        this.scene.remove(view.group);
        view.dispose();
      }
      this.extras = casts.map((cast) => {
        const view = new BodiesView(this.drawing.bodies());
        view.store.take(cast, true);
        cast.things.forEach(({ parts }, slot) => {
          view.set(slot, parts);
        });
        view.refresh();
        this.scene.add(view.group);
        return { cast, view, isPainted: false };
      });
      return;
    }
    for (const { cast, view } of this.extras) view.store.take(cast, jumped);
  }

  /** Where the picture lies between the last two steps: 0 the one before, 1 the last. */
  set blend(value: number) {
    this.bodies.store.blend = value;
    for (const { view } of this.extras) view.store.blend = value;
  }

  paint(coloring: Coloring, theme: Theme, stepped: boolean, far: number): void {
    for (const extra of this.extras) this.paintExtra(extra, theme);
    if (this.painted === coloring && this.theme === theme && !(stepped && isLive(coloring))) return;
    this.painted = coloring;
    this.theme = theme;
    const { store, slots } = this.bodies;
    const { world, tints, scene } = this.simulation;
    paint(world, slots, tints, coloring, paletteOf(scene.name), GROUND[theme], store.colors);
    store.colorsChanged();
    this.drawing.sky(this.scene, SKY[theme], far);
    this.sky.intensity = theme === 'light' ? 1.45 : 0.9;
    this.sun.intensity = theme === 'light' ? 2.9 : 2.3;
  }

  private paintExtra(extra: Extra, theme: Theme): void {
    if (extra.isPainted && this.theme === theme) return;
    extra.isPainted = true;
    const { store } = extra.view;
    extra.cast.things.forEach(({ color }, slot) => {
      store.colors.set([...(color ?? GROUND[theme]), color ? 255 : 0], 4 * slot);
    });
    store.colorsChanged();
  }

  /** Paints again with the next picture. */
  repaint(): void {
    this.painted = null;
  }

  /** Light from that direction, and shadow for a scene of that reach about a point, m. */
  light(center: Vector3, reach: number, from: Vector3 = this.from): void {
    const { sun } = this;
    if (from !== this.from) this.from.copy(from);
    sun.position.copy(center).add(
      from
        .clone()
        .normalize()
        .multiplyScalar(2.5 * reach),
    );
    sun.target.position.copy(center);
    const { camera } = sun.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1;
    camera.far = 5 * reach;
    camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.bodies.dispose();
    for (const { view } of this.extras) view.dispose();
    this.overlay.dispose();
    this.sun.dispose();
  }
}

export class View {
  readonly panes: Pane[] = [];
  readonly camera = new PerspectiveCamera(45, 1, 0.1, 500);
  readonly controls: OrbitControls;
  theme: Theme = 'light';
  private readonly ray = new Raycaster();
  private level = 0;
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private scope = 0.9;
  /** What the camera has to hold in the free area, until a hand turns it. */
  private frame: Box | null = null;
  private readonly sun = new Vector3(0.45, 1, 0.35);
  /** How many times as far as usual the fog is: large scenes stay clear. */
  private far = 1;
  private focus: Vector3 | null = null;
  /** When a hand turned the view last. */
  private turnedAt = -Infinity;
  private width = 1;
  private height = 1;

  /** The canvas comes into `element`, which gets all pointer events. */
  constructor(
    readonly element: HTMLElement,
    private drawing: Drawing,
  ) {
    element.replaceChildren(drawing.canvas);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.maxPolarAngle = Math.PI * 0.497;
    this.controls.minDistance = 0.5;
    this.controls.maxDistance = 200;
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.15;
    for (const name of ['start', 'end'] as const) {
      this.controls.addEventListener(name, () => {
        this.turnedAt = performance.now();
      });
    }
  }

  /** Direction in which the camera looks about y, rad: 0 is -z. */
  get yaw(): number {
    const { x, z } = this.controls.target.clone().sub(this.camera.position);
    return Math.atan2(-x, -z);
  }

  /**
   * Goes along with what moves, and comes round behind it in time: not as long as a hand turns the view, nor soon after that.
   * @param seconds since the last picture
   * @param facing what comes towards the camera is not turned round: who steers by the view would go in circles
   */
  follow(focus: readonly [number, number, number] | null, heading: number | undefined, seconds: number, facing: boolean): void {
    if (!focus) {
      this.focus = null;
      return;
    }
    const now = new Vector3(...focus);
    const { camera, controls } = this;
    if (this.focus) {
      const way = now.clone().sub(this.focus);
      camera.position.add(way);
      controls.target.add(way);
      for (const pane of this.panes) pane.light(controls.target, this.reach);
    }
    this.focus = now;
    if (heading === undefined || performance.now() - this.turnedAt < TURNED_MS) return;
    const off = Math.atan2(Math.sin(heading - this.yaw), Math.cos(heading - this.yaw));
    const offset = camera.position.clone().sub(controls.target);
    const rate = FOLLOW_RATE * (facing ? (1 + Math.cos(off)) / 2 : 1);
    offset.applyAxisAngle(new Vector3(0, 1, 0), off * (1 - Math.exp(-rate * seconds)));
    camera.position.copy(controls.target).add(offset);
  }

  get api(): Drawing['api'] {
    return this.drawing.api;
  }

  /** Goes on with another drawing; the old one is given back. */
  use(drawing: Drawing): void {
    const old = this.drawing;
    const simulations = this.panes.map((pane) => pane.simulation);
    for (const pane of this.panes) pane.dispose();
    this.panes.length = 0;
    this.drawing = drawing;
    this.element.replaceChildren(drawing.canvas);
    old.dispose();
    this.show(simulations);
  }

  /** Shows these simulations, one or two. */
  show(simulations: readonly Simulation[]): void {
    for (const pane of this.panes) pane.dispose();
    this.panes.length = 0;
    for (const simulation of simulations) this.panes.push(new Pane(simulation, this.drawing));
    this.keepEffort();
    this.relight();
  }

  /** Adds or removes the second view; the first stays as it is. */
  compare(simulation: Simulation | null): void {
    this.panes[1]?.dispose();
    this.panes.length = 1;
    if (simulation) this.panes.push(new Pane(simulation, this.drawing));
    this.keepEffort();
    this.relight();
  }

  private keepEffort(): void {
    const { level } = this;
    this.level = -1;
    this.effort = level;
  }

  /**
   * Looks at a scene from a place towards a target.
   * @param scope how far light and shadow reach about the target, in distances of the camera
   * @param frame what has to be seen in the free area; the camera keeps its direction and goes as near as that allows
   */
  look(camera: Vector, target: Vector, scope = 0.9, frame: Box | null = null): void {
    this.scope = scope;
    this.focus = null;
    this.turnedAt = -Infinity;
    this.camera.position.set(...camera);
    this.controls.target.set(...target);
    this.frame = frame;
    this.face();
    this.fit();
    const offset = this.camera.position.clone().sub(this.controls.target).setY(0).normalize();
    this.sun.copy(offset.applyAxisAngle(this.camera.up, SUN_SIDE)).setY(SUN_HEIGHT);
    this.far = Math.max(1, this.camera.position.distanceTo(this.controls.target) / 50);
    for (const pane of this.panes) pane.repaint();
    this.relight();
    this.controls.update();
  }

  /** On tall screens, comes round towards an end of what is long, so that it is seen larger. */
  private face(): void {
    const { camera, controls } = this;
    const { free } = this.part(0);
    if (!this.frame || free.width >= free.height) return;
    const offset = camera.position.clone().sub(controls.target);
    let best = { distance: Infinity, turn: 0 };
    for (const turn of FACES) {
      camera.position.copy(offset).applyAxisAngle(camera.up, turn).add(controls.target);
      const target = controls.target.clone();
      this.fit();
      const distance = camera.position.distanceTo(controls.target);
      controls.target.copy(target);
      // Another side than the one that was chosen has to be worth it.
      if (distance < best.distance * (best.turn === 0 && turn !== 0 ? 0.9 : 1)) best = { distance, turn };
    }
    camera.position.copy(offset).applyAxisAngle(camera.up, best.turn).add(controls.target);
  }

  /** Moves the camera so that the frame of the scene just fits into the free area; a view that a hand has turned stays. */
  private fit(): void {
    // What the camera goes along with is no longer where it was.
    if (!this.frame || this.focus || this.turnedAt > -Infinity || this.width < 2) return;
    const { camera, controls, frame } = this;
    const part = this.part(0);
    this.aim(part);
    const forward = controls.target.clone().sub(camera.position).normalize();
    const right = forward.clone().cross(camera.up).normalize();
    const up = right.clone().cross(forward);
    const tan = Math.tan((camera.fov * Math.PI) / 360);
    const [tx, ty] = [(FILL * tan * part.free.width) / part.height, (FILL * tan * part.free.height) / part.height];
    const middle = new Vector3().addVectors(new Vector3(...frame[0]), new Vector3(...frame[1])).multiplyScalar(0.5);
    // Bounds of where the camera may stand across its direction, for a distance of 0: each meter of distance widens them by tx and ty.
    const ends = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
    for (let corner = 0; corner < 8; corner++) {
      const p = new Vector3(...[0, 1, 2].map((k) => frame[(corner >> k) & 1]![k]!)).sub(middle);
      const [a, b, f] = [p.dot(right), p.dot(up), p.dot(forward)];
      ends.left = Math.min(ends.left, a + tx * f);
      ends.right = Math.max(ends.right, a - tx * f);
      ends.low = Math.min(ends.low, b + ty * f);
      ends.high = Math.max(ends.high, b - ty * f);
    }
    const distance = Math.max((ends.right - ends.left) / (2 * tx), (ends.high - ends.low) / (2 * ty), controls.minDistance);
    controls.target
      .copy(middle)
      .addScaledVector(right, (ends.left + ends.right) / 2)
      .addScaledVector(up, (ends.low + ends.high) / 2);
    camera.position.copy(controls.target).addScaledVector(forward, -distance);
  }

  private get reach(): number {
    if (this.frame) return Math.max(0.75 * new Vector3(...this.frame[0]).distanceTo(new Vector3(...this.frame[1])), 3);
    return Math.max(this.camera.position.distanceTo(this.controls.target) * this.scope, 4);
  }

  /** The light is a little to the left of the camera as it stood at first, so that faces which are seen are lit, each one differently. */
  private relight(): void {
    for (const pane of this.panes) pane.light(this.controls.target, this.reach, this.sun);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.drawing.resize(width, height, Math.min(devicePixelRatio, LEVELS[this.level]![0]));
    this.fit();
  }

  /** How much is spent on the picture: 0 all of it, 3 the least. */
  get effort(): number {
    return this.level;
  }

  set effort(level: number) {
    if (level === this.level) return;
    this.level = level;
    const size = LEVELS[level]![1];
    for (const { sun, bodies } of this.panes) {
      this.drawing.shadows(sun, size);
      bodies.showBlobs(size === 0);
    }
    this.resize(this.width, this.height);
  }

  /** What lies over the canvas: pictures are centered in what is free. */
  setInsets(insets: Insets): void {
    this.insets = insets;
    this.fit();
  }

  private get isWide(): boolean {
    return this.width >= this.height;
  }

  /** Where two views side by side meet, CSS pixels. */
  get seam(): number {
    const { left, right } = this.insets;
    return (left + this.width - right) / 2;
  }

  /** The part of the canvas of a pane, CSS pixels from the top left, and what of it is free. */
  private part(index: number): Part {
    const { width, height, seam, isWide } = this;
    const { left, right, top, bottom } = this.insets;
    const whole = { x: 0, y: 0, width, height };
    let rect = whole;
    if (this.panes.length > 1) {
      if (!isWide) rect = { x: 0, y: (index * height) / 2, width, height: height / 2 };
      else rect = index === 0 ? { x: 0, y: 0, width: seam, height } : { x: seam, y: 0, width: width - seam, height };
    }
    const x = Math.max(rect.x, left);
    const y = Math.max(rect.y, top);
    const free = {
      x,
      y,
      width: Math.max(Math.min(rect.x + rect.width, width - right) - x, 40),
      height: Math.max(Math.min(rect.y + rect.height, height - bottom) - y, 40),
    };
    return { ...rect, free };
  }

  /** Where a point of the world is in the first pane, CSS pixels from the top left of the canvas; null behind the camera. */
  project(point: Vector): { x: number; y: number } | null {
    const part = this.part(0);
    this.aim(part);
    const p = new Vector3(...point).project(this.camera);
    if (p.z > 1) return null;
    return { x: part.x + ((p.x + 1) / 2) * part.width, y: part.y + ((1 - p.y) / 2) * part.height };
  }

  /** The ray of a point of the canvas (CSS pixels) and the pane that it lies in. */
  rayAt(x: number, y: number): { pane: Pane; origin: Vector3; direction: Vector3 } {
    let index = 0;
    if (this.panes.length > 1) index = this.isWide ? Number(x > this.seam) : Number(y > this.height / 2);
    const part = this.part(index);
    this.aim(part);
    const at = new Vector2(((x - part.x) / part.width) * 2 - 1, 1 - ((y - part.y) / part.height) * 2);
    this.ray.setFromCamera(at, this.camera);
    return { pane: this.panes[index]!, origin: this.ray.ray.origin.clone(), direction: this.ray.ray.direction.clone() };
  }

  private aim({ x, y, width, height, free }: Part): void {
    const { camera } = this;
    camera.aspect = width / Math.max(height, 1);
    // Narrow views keep the width of the scene instead of its height.
    const aspect = free.width / Math.max(height, 1);
    const widen = aspect < 1 ? Math.max(aspect, 0.4) ** -0.8 : 1;
    camera.fov = (360 / Math.PI) * Math.atan(Math.tan(Math.PI / 8) * widen);
    // The middle of the free area is the middle of the picture.
    const [dx, dy] = [free.x + free.width / 2 - x - width / 2, free.y + free.height / 2 - y - height / 2];
    camera.setViewOffset(width, height, -dx, -dy, width, height);
    camera.updateMatrixWorld();
  }

  render(coloring: Coloring, shown: Shown, stepped: boolean): void {
    this.controls.update();
    this.drawing.begin(this.panes.length);
    this.panes.forEach((pane, index) => {
      pane.paint(coloring, this.theme, stepped, this.far);
      if (stepped || pane.simulation.isHolding || index === 0) pane.overlay.update(pane.simulation, shown);
      const part = this.part(index);
      this.aim(part);
      this.drawing.draw(pane.scene, this.camera, part);
    });
  }

  /** Draw calls of the last picture, shadows included. */
  get drawCalls(): number {
    return this.drawing.drawCalls;
  }
}
