// The picture: one canvas, one camera, one pane a simulation (side by side on wide screens, one above the other on tall
// ones), shadows, light and dark. What draws it can be changed as it runs (drawing.ts).
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { BodiesView } from './bodies_view';
import { type Coloring, GROUND, isLive, paint } from './coloring';
import type { Drawing, Rect } from './drawing';
import { Overlay, type Shown } from './overlay';
import type { Simulation } from './simulation';

export type Theme = 'light' | 'dark';

const SKY: Record<Theme, number> = { light: 0xe9eef3, dark: 0x14171c };

/** Pixels a CSS pixel at most, and texels of the edge of the shadow map, by level of effort. */
const LEVELS = [
  [2, 2048],
  [1, 2048],
  [1, 1024],
  [0.6, 0],
] as const;
interface Part extends Rect {
  /** How far the free middle of the part is from its middle. */
  shift: number;
}

/** How long a view that a hand has turned stays so, ms, and how fast it then comes round, 1/s. */
const TURNED_MS = 4000;
const FOLLOW_RATE = 2;

export const LEAST_EFFORT = LEVELS.length - 1;

/** One simulation in its part of the canvas. */
export class Pane {
  readonly scene = new Scene();
  readonly bodies: BodiesView;
  readonly overlay: Overlay;
  readonly sun = new DirectionalLight(0xfff4e6, 2.6);
  private readonly sky = new HemisphereLight(0xdfeaff, 0x8a8478, 1.5);
  private painted: Coloring | null = null;
  private theme: Theme = 'light';

  constructor(
    readonly simulation: Simulation,
    private readonly drawing: Drawing,
  ) {
    this.bodies = new BodiesView(drawing.bodies());
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
    simulation.jumped = false;
  }

  /** Where the picture lies between the last two steps: 0 the one before, 1 the last. */
  set blend(value: number) {
    this.bodies.store.blend = value;
  }

  paint(coloring: Coloring, theme: Theme, stepped: boolean): void {
    if (this.painted === coloring && this.theme === theme && !(stepped && isLive(coloring))) return;
    this.painted = coloring;
    this.theme = theme;
    const { store, slots } = this.bodies;
    paint(this.simulation.world, slots, this.simulation.tints, coloring, GROUND[theme], store.colors);
    store.colorsChanged();
    this.drawing.sky(this.scene, SKY[theme]);
    this.sky.intensity = theme === 'light' ? 1.7 : 1.15;
    this.sun.intensity = theme === 'light' ? 2.6 : 2.2;
  }

  /** Light and shadow for a scene of that reach about a point, m. */
  light(center: Vector3, reach: number): void {
    const { sun } = this;
    sun.position.copy(center).add(new Vector3(0.45, 1, 0.35).normalize().multiplyScalar(2.5 * reach));
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
  private insets: [number, number] = [0, 0];
  private scope = 0.9;
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

  /** @param scope how far light and shadow reach about the target, in distances of the camera */
  look(camera: readonly [number, number, number], target: readonly [number, number, number], scope = 0.9): void {
    this.scope = scope;
    this.focus = null;
    this.turnedAt = -Infinity;
    this.camera.position.set(...camera);
    this.controls.target.set(...target);
    this.relight();
    this.controls.update();
  }

  private get reach(): number {
    return Math.max(this.camera.position.distanceTo(this.controls.target) * this.scope, 4);
  }

  private relight(): void {
    for (const pane of this.panes) pane.light(this.controls.target, this.reach);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.drawing.resize(width, height, Math.min(devicePixelRatio, LEVELS[this.level]![0]));
  }

  /** How much is spent on the picture: 0 all of it, 3 the least. */
  get effort(): number {
    return this.level;
  }

  set effort(level: number) {
    if (level === this.level) return;
    this.level = level;
    const size = LEVELS[level]![1];
    for (const { sun } of this.panes) this.drawing.shadows(sun, size);
    this.resize(this.width, this.height);
  }

  /** What lies over the canvas on its left and right, CSS pixels: pictures are centered in what is free. */
  setInsets(left: number, right: number): void {
    this.insets = [left, right];
  }

  private get isWide(): boolean {
    return this.width >= this.height;
  }

  /** Where two views side by side meet, CSS pixels. */
  get seam(): number {
    const [left, right] = this.insets;
    return (left + this.width - right) / 2;
  }

  /** The part of the canvas of a pane, CSS pixels from the top left, and how far its free middle is from its middle. */
  private part(index: number): Part {
    const { width, height, seam } = this;
    const [left, right] = this.insets;
    if (this.panes.length < 2) return { x: 0, y: 0, width, height, shift: (left - right) / 2 };
    if (!this.isWide) return { x: 0, y: (index * height) / 2, width, height: height / 2, shift: 0 };
    if (index === 0) return { x: 0, y: 0, width: seam, height, shift: left / 2 };
    return { x: seam, y: 0, width: width - seam, height, shift: -right / 2 };
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

  private aim({ width, height, shift }: Part): void {
    const { camera } = this;
    const free = width - 2 * Math.abs(shift);
    camera.aspect = width / Math.max(height, 1);
    // Narrow views keep the width of the scene instead of its height.
    const aspect = free / Math.max(height, 1);
    const widen = aspect < 1 ? Math.max(aspect, 0.4) ** -0.8 : 1;
    camera.fov = (360 / Math.PI) * Math.atan(Math.tan(Math.PI / 8) * widen);
    camera.setViewOffset(width, height, -shift, 0, width, height);
    camera.updateMatrixWorld();
  }

  render(coloring: Coloring, shown: Shown, stepped: boolean): void {
    this.controls.update();
    this.drawing.begin(this.panes.length);
    this.panes.forEach((pane, index) => {
      pane.paint(coloring, this.theme, stepped);
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
