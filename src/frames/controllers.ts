// Controllers that a world calls in each of its steps: characters, vehicles, and your own.
import { throwCollected } from '../checks/collected';
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';

/**
 * An object that a world calls in each of its steps, by `step`, `stepAsync` or `advance`. `Character` and `Vehicle` of
 * `talus/controllers` are controllers; add an object of your own by `world.addController`.
 */
export interface Controller {
  /**
   * Called before each step: add forces, set kinematic targets.
   * @param dt length of the step, s
   */
  beforeStep?(dt: number): void;
  /**
   * Called after each step, before the listeners of events: bodies have their new poses.
   * @param dt length of the step, s
   */
  afterStep?(dt: number): void;
  /**
   * Returns all its state as numbers, which `world.snapshot` stores. A controller without `save` keeps its state through a
   * `restore`.
   */
  save?(): readonly number[];
  /**
   * Called by `world.restore` with the result of `save` from the time of the snapshot. The state is null if the snapshot is older
   * than this controller, or from another world: then bodies and shapes that it created do not exist.
   */
  load?(state: readonly number[] | null): void;
  /**
   * Called by `world.shift` after all bodies have moved: add the offset to every world position that it stores.
   * @param offset world, m
   */
  shift?(offset: readonly [number, number, number]): void;
  /** Returns whether the next step moves it: pages that draw on demand keep drawing while it does. */
  isMoving?(): boolean;
}

const CALLS = ['beforeStep', 'afterStep', 'isMoving', 'save', 'load', 'shift'] as const;
/** A number for each controller of this page. */
let controllers = 0;

/** The controllers of one world, in the order in which they were added. */
export class Controllers {
  /** Replaced, never changed: a round continues with the list that it began with. */
  list: readonly Controller[] = [];
  /** Numbers by which snapshots identify controllers. */
  private readonly numbers = new WeakMap<Controller, number>();
  /** Errors that controllers have thrown since the step began. */
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
    throw new TalusError(
      'unsupported',
      'step() inside a controller: the world calls controllers during a step, call step() after it',
    );
  }

  /** Returns the state of all: for each its number, the length of its state, and the state. */
  save(): number[] {
    return this.list.flatMap((controller) => {
      const state = controller.save?.();
      return state === undefined ? [] : [this.numbers.get(controller)!, state.length, ...state];
    });
  }

  /** Restores the state of each. */
  load(states: readonly number[]): void {
    const found = new Map<number, readonly number[]>();
    for (let at = 0; at < states.length; at += 2 + states[at + 1]!)
      found.set(states[at]!, states.slice(at + 2, at + 2 + states[at + 1]!));
    for (const controller of this.list) controller.load?.(found.get(this.numbers.get(controller)!) ?? null);
  }

  /** Passes on a shift of the origin. Errors of controllers are thrown after all were called. */
  shift(offset: readonly [number, number, number]): void {
    const errors: unknown[] = [];
    for (const controller of this.list) {
      try {
        controller.shift?.(offset);
      } catch (error) {
        errors.push(error);
      }
    }
    throwCollected(errors, 'several controllers threw');
  }

  /** Calls `beforeStep` of each, for a step of length dt. */
  before(dt: number, isOver: () => boolean): void {
    if (this.errors.length > 0) this.errors = [];
    this.dt = dt;
    this.call('beforeStep', isOver);
  }

  /** Calls `afterStep` of each; returns the errors of controllers in this step. */
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
