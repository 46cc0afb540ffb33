// What a world moves in each of its steps besides bodies: characters, vehicles, and controllers that callers write themselves.
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';

/**
 * Something that a world moves in each of its steps, whoever asks for the step: `step`, `stepAsync` or `advance`. `Character` and
 * `Vehicle` of `talus/controllers` are controllers; an object of your own becomes one by `world.addController`.
 */
export interface Controller {
  /**
   * Called before each step: add forces, set kinematic targets.
   * @param dt length of the step, s
   */
  beforeStep?(dt: number): void;
  /**
   * Called when each step is done, before the listeners of events: the bodies are where the step has brought them.
   * @param dt length of the step, s
   */
  afterStep?(dt: number): void;
  /**
   * All that it needs to go on from here, as numbers: `world.snapshot` has it in it. One without it goes on through a `restore` as if
   * nothing had happened.
   */
  save?(): readonly number[];
  /**
   * Called by `world.restore` with what `save` gave when the snapshot was taken; with null if that was before this controller was added,
   * or in another world: what it has in the world is not there then.
   */
  load?(state: readonly number[] | null): void;
  /**
   * Called by `world.shift` when all bodies have moved: add the offset to every world position that it keeps.
   * @param offset world, m
   */
  shift?(offset: readonly [number, number, number]): void;
  /** Whether the next step moves it: pages that draw on demand go on drawing while it does. */
  isMoving?(): boolean;
}

const CALLS = ['beforeStep', 'afterStep', 'isMoving', 'save', 'load', 'shift'] as const;
/** A number for each controller of this page. */
let controllers = 0;

/** The controllers of one world, in the order in which they were added. */
export class Controllers {
  /** Replaced, never changed: a round goes on with the list that it began with. */
  list: readonly Controller[] = [];
  /** By which snapshots know them. */
  private readonly numbers = new WeakMap<Controller, number>();
  /** What controllers have thrown since the step began. */
  private errors: unknown[] = [];
  private dt = 0;
  private calling = false;

  add(controller: Controller): () => void {
    const given = controller as Controller | null | undefined;
    if (given === null || typeof given !== 'object') fail('controller', 'an object with beforeStep or afterStep', controller);
    for (const name of CALLS)
      if (given[name] !== undefined && typeof given[name] !== 'function') fail(`controller.${name}`, 'a function', given[name]);
    if (given.beforeStep === undefined && given.afterStep === undefined)
      fail('controller', 'an object with beforeStep or afterStep', controller);
    if (this.list.includes(controller))
      throw new TalusError('invalid-argument', 'this controller is in the world already: add it once');
    if ((given.save === undefined) !== (given.load === undefined))
      fail('controller', 'an object with both save and load, or none of them', controller);
    this.numbers.set(controller, ++controllers);
    this.list = [...this.list, controller];
    return () => {
      this.list = this.list.filter((other) => other !== controller);
    };
  }

  /** Throws while controllers are called: a step inside of a step would move them twice. */
  checkIdle(): void {
    if (!this.calling) return;
    throw new TalusError('unsupported', 'step() in a call of a controller: the world calls controllers in its steps');
  }

  /** State of all: of each its number, how many numbers it has, these. */
  save(): number[] {
    return this.list.flatMap((controller) => {
      const state = controller.save?.();
      return state === undefined ? [] : [this.numbers.get(controller)!, state.length, ...state];
    });
  }

  /** Gives each its state of back then. */
  load(states: readonly number[]): void {
    const found = new Map<number, readonly number[]>();
    for (let at = 0; at < states.length; at += 2 + states[at + 1]!)
      found.set(states[at]!, states.slice(at + 2, at + 2 + states[at + 1]!));
    for (const controller of this.list) controller.load?.(found.get(this.numbers.get(controller)!) ?? null);
  }

  /** The origin has moved. What controllers throw is thrown when all were called. */
  shift(offset: readonly [number, number, number]): void {
    const errors: unknown[] = [];
    for (const controller of this.list) {
      try {
        controller.shift?.(offset);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'several controllers threw');
  }

  /** Calls `beforeStep` of each, for a step of that length. */
  before(dt: number, isOver: () => boolean): void {
    if (this.errors.length > 0) this.errors = [];
    this.dt = dt;
    this.call('beforeStep', isOver);
  }

  /** Calls `afterStep` of each; returns what controllers have thrown in this step. */
  after(isOver: () => boolean): unknown[] {
    this.call('afterStep', isOver);
    return this.errors;
  }

  private call(name: 'beforeStep' | 'afterStep', isOver: () => boolean): void {
    if (this.list.length === 0) return;
    this.calling = true;
    for (const controller of this.list) {
      // One that an earlier one has removed is not called any more.
      if (isOver() || !this.list.includes(controller)) continue;
      try {
        controller[name]?.(this.dt);
      } catch (error) {
        this.errors.push(error);
      }
    }
    this.calling = false;
  }
}
