// Hands: what pointers do. A tool acts on a tap or click; dragging what the "drag" tool has taken pulls it by a soft ball joint;
// everything else turns the view. Works with mouse, pen and fingers (a second finger always belongs to the view).
import { Plane, Vector3 } from 'three';
import type { Entry } from './catalog';
import type { Simulation } from './simulation';
import type { Tool } from './tools';
import type { View } from './view';

/** A pointer that moved further than this was not a tap, CSS pixels. */
const TAP = 7;

export class Hands {
  tool: Tool = 'drag';
  entry: Entry;
  private held: { id: number; simulation: Simulation; plane: Plane } | null = null;
  private tap: { id: number; x: number; y: number } | null = null;
  /** Where the pointer was last: what keys act on. */
  private last: { x: number; y: number };
  private readonly pointers = new Set<number>();

  constructor(
    private readonly view: View,
    entry: Entry,
    private readonly say: (text: string) => void,
  ) {
    this.entry = entry;
    this.last = { x: innerWidth / 2, y: innerHeight / 2 };
    const { element } = view;
    // Before the controls of the camera hear of it.
    element.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    element.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    for (const name of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(name, (event) => this.up(event, name === 'pointerup'), { capture: true });
    }
  }

  private down(event: PointerEvent): void {
    this.pointers.add(event.pointerId);
    this.last = { x: event.clientX, y: event.clientY };
    if (event.button !== 0 || this.pointers.size > 1) {
      this.tap = null;
      this.letGo();
      return;
    }
    this.tap = { id: event.pointerId, x: event.clientX, y: event.clientY };
    if (this.tool !== 'drag') return;
    const { pane, origin, direction } = this.view.rayAt(event.clientX, event.clientY);
    const distance = this.grab(pane.simulation, origin, direction);
    if (distance === null) return;
    const point = origin.clone().addScaledVector(direction, distance);
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.view.camera.getWorldDirection(new Vector3()), point);
    this.held = { id: event.pointerId, simulation: pane.simulation, plane };
    this.view.controls.enabled = false;
    this.view.element.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }

  /** Distance to what was taken; null if nothing was. */
  private grab(simulation: Simulation, origin: Vector3, direction: Vector3): number | null {
    try {
      return simulation.grab(origin.toArray(), direction.toArray());
    } catch (error) {
      // Not every solver takes joints.
      this.say(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  private move(event: PointerEvent): void {
    this.last = { x: event.clientX, y: event.clientY };
    if (this.tap && Math.hypot(event.clientX - this.tap.x, event.clientY - this.tap.y) > TAP) this.tap = null;
    if (this.held?.id !== event.pointerId) return;
    const { origin, direction } = this.view.rayAt(event.clientX, event.clientY);
    const slope = this.held.plane.normal.dot(direction);
    if (Math.abs(slope) < 1e-4) return;
    const t = -(this.held.plane.normal.dot(origin) + this.held.plane.constant) / slope;
    if (t > 0 && t < 500) this.held.simulation.dragTo(origin.addScaledVector(direction, t).toArray());
  }

  private up(event: PointerEvent, done: boolean): void {
    this.pointers.delete(event.pointerId);
    if (this.held?.id === event.pointerId) this.letGo();
    const tapped = done && this.tap?.id === event.pointerId;
    this.tap = null;
    if (tapped && this.tool !== 'drag') this.use(this.tool, event.clientX, event.clientY);
  }

  private letGo(): void {
    this.held?.simulation.release();
    this.held = null;
    this.view.controls.enabled = true;
  }

  /** Uses a tool where the pointer is, as keys do. */
  useHere(tool: Exclude<Tool, 'drag'>): void {
    this.use(tool, this.last.x, this.last.y);
  }

  private use(tool: Exclude<Tool, 'drag'>, x: number, y: number): void {
    const { entry } = this;
    const ray = this.view.rayAt(x, y);
    const from = ray.origin.toArray();
    const direction = ray.direction.toArray();
    const size = entry.toolSize;
    // Side by side both get the same treatment: the comparison stays fair.
    let met = true;
    for (const { simulation } of this.view.panes) {
      if (tool === 'ball' || tool === 'box') {
        const start = ray.origin.clone().addScaledVector(ray.direction, 3 * size);
        start.y = Math.max(start.y, size);
        simulation.throw(tool, start.toArray(), direction, entry.throwSpeed, size, entry.bullets);
      } else if (tool === 'build') met = simulation.build(from, direction, size);
      else if (tool === 'explode') met = simulation.explode(from, direction, 8 * size, 0.8 * entry.throwSpeed);
      else met = simulation.delete(from, direction);
    }
    if (!met) this.say(tool === 'delete' ? 'Nothing to delete there.' : 'Nothing there.');
  }
}
