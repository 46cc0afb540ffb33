// Walks the course: by itself along waypoints, or as a player steers. The figure that is seen follows the character.
import type { Character } from '../src/controllers/index';
import { type Act, backHome, Input, moveTo, type Stage } from './act';
import { END, FERRY, HIGH } from './course';
import { join } from './frames';
import type { Quat, Vec3 } from './types';

const RADIUS = 0.3;
const STANDING = { type: 'capsule', radius: RADIUS, halfHeight: 0.6 } as const;
const CROUCHED = { type: 'capsule', radius: RADIUS, halfHeight: 0.3 } as const;
/** m/s */
const SPEED = 3;
const JUMP = 4.6;
/** From waypoint to waypoint, s; then it starts there once more. */
const LONGEST = 14;

interface Waypoint {
  x: number;
  z: number;
  /** On the way there. */
  crouch?: true;
  jump?: true;
  /** Waits before it until the platform is there. */
  until?: 'ferry-near' | 'ferry-far';
  /** Walks there for so long, s, and goes on wherever it is: what it cannot climb. */
  tries?: number;
}

const WAY: readonly Waypoint[] = [
  { x: 7, z: 0 },
  { x: 12.3, z: 3.5 },
  { x: 16, z: 3.5, tries: 2.2 },
  { x: 12.2, z: 2.4 },
  { x: 12.4, z: 0 },
  { x: 16.5, z: 0 },
  { x: FERRY.from, z: 0, until: 'ferry-near' },
  { x: 24, z: 0, until: 'ferry-far' },
  { x: 31, z: 0 },
  { x: 38, z: 0 },
  { x: 46.6, z: 0 },
  { x: 46.9, z: -1 },
  { x: 49.5, z: -0.7 },
  { x: 55.6, z: 0, crouch: true },
  { x: 58.5, z: 0, jump: true },
  { x: END + 1, z: 0 },
];

const UP: Vec3 = [0, 1, 0];

function about(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export class CourseAct implements Act {
  readonly input = new Input();
  readonly focus: number;
  heading = -Math.PI / 2;
  private who: Character;
  private steps = 0;
  private crouched = false;
  private waypoint = 0;
  /** Steps since the last waypoint. */
  private since = 0;
  private started = 0;
  private rounds = 0;
  private best = 0;
  /** Phase of the legs, rad, and how far they swing. */
  private stride = 0;
  private swing = 0;
  private stoop = 0;
  private wasSteered = false;

  constructor(
    private readonly stage: Stage,
    from?: CourseAct,
  ) {
    this.focus = stage.scene.parts!.upper as number;
    if (from) {
      const { heading, steps, crouched, waypoint, since, started, rounds, best, stride, swing, stoop, wasSteered } = from;
      Object.assign(this, { heading, steps, crouched, waypoint, since, started, rounds, best, stride, swing, stoop, wasSteered });
      this.input.copy(from.input);
      this.who = from.who.clone(stage.world);
      return;
    }
    const { Character: Make } = stage.controllers;
    this.who = new Make(stage.world, { shape: STANDING, position: [0, 0, 0], presence: 'solid' });
  }

  clone(stage: Stage): CourseAct {
    return new CourseAct(stage, this);
  }

  /** Of its feet, m. */
  get place(): Vec3 {
    return this.who.getPosition([0, 0, 0]);
  }

  /** How often it came to the end, and the shortest time, s; 0 before. */
  get result(): { rounds: number; best: number; waypoint: number; steered: boolean } {
    return { rounds: this.rounds, best: this.best, waypoint: this.waypoint, steered: this.input.isSteered };
  }

  get status(): string {
    const seconds = (this.steps - this.started) / 60;
    const best = this.best > 0 ? ` · best ${this.best.toFixed(1)} s` : '';
    return `${this.input.isSteered ? 'yours' : 'by itself'} · ${seconds.toFixed(0)} s${best}`;
  }

  tick(): void {
    const { input, who } = this;
    input.tick();
    if (this.wasSteered && !input.isSteered) this.resume();
    this.wasSteered = input.isSteered;
    this.steps++;
    this.moveFerry();
    let wish: Vec3;
    let jump = false;
    let crouch = false;
    if (input.isSteered) {
      const [c, s] = [Math.cos(input.yaw), Math.sin(input.yaw)];
      const size = Math.max(1, Math.hypot(input.right, input.ahead));
      wish = [(SPEED * (c * input.right - s * input.ahead)) / size, 0, (SPEED * (-s * input.right - c * input.ahead)) / size];
      jump = input.up;
      crouch = input.down;
    } else {
      const at = WAY[this.waypoint]!;
      wish = this.walkTo(at);
      crouch = at.crouch === true && this.place[0] > 49;
      jump = at.jump === true && this.place[0] > 55.7 && this.place[1] < 0.1;
    }
    this.crouch(crouch);
    const slow = this.crouched ? 0.6 : 1;
    who.walk({ velocity: [wish[0] * slow, 0, wish[2] * slow], jump: jump && !this.crouched ? JUMP : 0 });
    this.heading += who.takeTurn();
    if (Math.hypot(wish[0], wish[2]) > 0.2) this.face(Math.atan2(-wish[0], -wish[2]));
    this.judge();
    this.show();
  }

  /** Where the ferry is on its way, 0 to 1. */
  private get ferry(): number {
    const phase = (this.steps / 60 / FERRY.seconds) % 1;
    const way = phase < 0.5 ? 2 * phase : 2 - 2 * phase;
    // It rests a while at both ends.
    const t = Math.min(Math.max(1.5 * way - 0.25, 0), 1);
    return t * t * (3 - 2 * t);
  }

  private moveFerry(): void {
    const x = FERRY.from + (FERRY.to - FERRY.from) * this.ferry;
    moveTo(this.stage, this.stage.scene.parts!.ferry as number, [x, HIGH - 0.15, 0]);
  }

  private walkTo(to: Waypoint): Vec3 {
    const [x, , z] = this.place;
    const [dx, dz] = [to.x - x, to.z - z];
    if (to.until === 'ferry-near' && x < 17.05 && this.ferry > 0.01) return [0, 0, 0];
    if (to.until === 'ferry-far' && x < FERRY.to - 0.9 && this.ferry < 0.99) return [0, 0, 0];
    const far = Math.hypot(dx, dz);
    const speed = Math.min(SPEED, 8 * far);
    return far > 1e-6 ? [(dx / far) * speed, 0, (dz / far) * speed] : [0, 0, 0];
  }

  private crouch(wanted: boolean): void {
    if (wanted !== this.crouched && this.who.setShape(wanted ? CROUCHED : STANDING)) this.crouched = wanted;
  }

  /** Goes on to the next waypoint; starts anew at the end, where it fell too far, and where it is stuck. */
  private judge(): void {
    this.since++;
    const [x, y, z] = this.place;
    if (y < -5 || Math.abs(z) > 14 || x < -22 || x > 78) this.restart();
    if (Math.hypot(x - END - 1, z) < 1.6) {
      if (this.started >= 0) {
        const seconds = (this.steps - this.started) / 60;
        this.rounds++;
        this.best = this.best > 0 ? Math.min(this.best, seconds) : seconds;
        this.started = -1 - this.steps;
      }
    }
    if (this.started < 0) {
      if (this.steps + this.started > 120) this.restart();
      return;
    }
    if (this.input.isSteered) {
      this.since = 0;
      return;
    }
    const at = WAY[this.waypoint]!;
    const there = Math.hypot(at.x - x, at.z - z) < 0.3;
    if (there || (at.tries !== undefined && this.since > 60 * at.tries)) {
      this.waypoint = Math.min(this.waypoint + 1, WAY.length - 1);
      this.since = 0;
    } else if (this.since > 60 * LONGEST) this.restart();
  }

  private restart(): void {
    this.who.teleport([0, 0, 0]);
    this.who.velocity.fill(0);
    for (const crate of this.stage.scene.parts!.crates as readonly number[]) backHome(this.stage, crate);
    this.waypoint = 0;
    this.since = 0;
    this.started = this.steps;
  }

  /** Nobody steers any more: goes on with the first waypoint ahead. */
  private resume(): void {
    const [x, , z] = this.place;
    const next = WAY.findIndex((at) => at.x > x + 0.5 && at.tries === undefined);
    // From the floor between the landings there is no way but that from the start.
    if (next < 0 || Math.abs(z) > 3 || (x > 15.5 && x < 32 && this.place[1] < 1)) this.restart();
    else this.waypoint = next;
    this.since = 0;
  }

  private face(to: number): void {
    const turn = ((((to - this.heading + Math.PI) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) - Math.PI;
    this.heading += Math.min(Math.max(turn, -0.15), 0.15);
  }

  /** Body and legs of the figure. */
  private show(): void {
    const { who, stage } = this;
    const parts = stage.scene.parts! as { upper: number; head: number; legs: readonly number[] };
    const [x, y, z] = this.place;
    const base: [number, number, number] = [0, 0, 0];
    const ground = who.groundBody;
    if (ground !== null) stage.world.getLinearVelocity(ground, base);
    const speed = Math.hypot(who.velocity[0] - base[0], who.velocity[2] - base[2]);
    this.stride += (speed * 2.6) / 60;
    this.swing += 0.2 * ((who.grounded ? Math.min(speed / SPEED, 1) * 0.65 : 0.35) - this.swing);
    this.stoop += 0.2 * ((this.crouched ? 1 : 0) - this.stoop);
    const yaw = about(UP, this.heading);
    const [c, s] = [Math.cos(this.heading), Math.sin(this.heading)];
    const hip = 0.8 - 0.42 * this.stoop;
    const bent = 0.75 * this.stoop;
    moveTo(stage, parts.upper, [x, y + hip, z], join(yaw, about([1, 0, 0], -bent)));
    const [ahead, above] = [0.82 * Math.sin(bent), 0.82 * Math.cos(bent)];
    moveTo(stage, parts.head, [x - s * ahead, y + hip + above, z - c * ahead], yaw);
    for (const [i, side] of [1, -1].entries()) {
      const angle = side * (this.swing * Math.sin(this.stride) * (1 - 0.5 * this.stoop) + 1.05 * this.stoop);
      const [out, forward] = [side * 0.11, -0.4 * Math.sin(angle)];
      moveTo(
        stage,
        parts.legs[i]!,
        [x + c * out + s * forward, y + hip - 0.4 * Math.cos(angle), z - s * out + c * forward],
        join(yaw, about([1, 0, 0], angle)),
      );
    }
  }
}
