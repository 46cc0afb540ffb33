// Solvers of your own, in JavaScript, on the rows of the core: `defineSolver`, the list of them, and how one takes part in a step. The core
// prepares rows, warm start, bias and integration (assembly/study/methods), and calls back where its own methods iterate. How to write one:
// docs/own_solver.md.

import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { checkKeys, fail } from '../checks/validate';
import type { RowBridge } from './row_bridge';
import type { Rows } from './rows';
import { RUNNING_SOLVERS } from './solvers';

/** What `start` of a solver returns: the method, with the arrays that it keeps during a step. */
export interface RowIteration {
  /**
   * Called before the first iteration of each problem of the step: each substep has one, its relax pass another one. `rows.v`,
   * `rows.z`, bias and compliance are those of the problem; forget what you know of the one before.
   */
  begin?(): void;
  /** One iteration: changes `rows.z`, and `rows.v` with it. */
  iterate(): void;
}

/** A solver of your own, for `defineSolver`. */
export interface SolverDefinition {
  /** Its name, for `activeSolver` and snapshots: lower case letters, digits and dashes, and no other solver's. */
  name: string;
  /** Called once per step, with the rows of its contacts. Make arrays here: iterations then need none. */
  start(rows: Rows): RowIteration;
}

/** A defined solver: the value of the setting `solver`. It becomes its name in JSON. */
export interface OwnSolver extends Readonly<SolverDefinition> {
  /** @internal */
  toJSON(): string;
}

const defined = new Map<string, OwnSolver>();

/**
 * Defines a solver of your own, written in JavaScript, as a value for the setting `solver`. It runs on WASM worlds with any number of
 * threads, on the main one.
 *
 * Snapshots and clones contain its name. A world that restores the snapshot of another page must have defined it before.
 * @throws TalusError `invalid-argument`, also for a name that is taken
 */
export function defineSolver(definition: SolverDefinition): OwnSolver {
  checkKeys(definition, 'definition', ['name', 'start']);
  const { name, start } = definition;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    fail('definition.name', "a word of lower case letters, digits and dashes, like 'my-solver'", name);
  }
  if (typeof start !== 'function') fail('definition.start', 'a function of the rows of a step', start);
  if (name === 'auto' || RUNNING_SOLVERS.includes(name as never)) {
    throw new TalusError('invalid-argument', `definition.name is that of a solver of talus/study, '${name}': choose another one`);
  }
  if (defined.has(name)) {
    throw new TalusError(
      'invalid-argument',
      `definition.name '${name}' was defined before: define a solver once, in a module that worlds import`,
    );
  }
  const solver: OwnSolver = Object.freeze({ name, start, toJSON: () => name });
  defined.set(name, solver);
  return solver;
}

/** Returns a defined solver, by itself or by the name that snapshots have of it; undefined for anything else. */
export function ownSolver(value: unknown): OwnSolver | undefined {
  if (typeof value === 'string') return defined.get(value);
  const found = defined.get((value as OwnSolver | null)?.name as string);
  return found === value ? found : undefined;
}

/** Throws 'invalid-argument' for an object that looks like a solver but was not defined. */
export function checkDefined(value: unknown, name: string): void {
  if (ownSolver(value)) return;
  fail(name, 'the name of a solver, or what defineSolver returned', value, ': pass it to defineSolver first');
}

/** How a solver takes part in the steps of a world. */
export class OwnSteps {
  private readonly rows: RowBridge;
  private solver: OwnSolver | null = null;
  private iteration: RowIteration | null = null;
  private failed: unknown[] = [];
  /** Whether a callback runs: the world then refuses all calls. */
  isInside = false;

  constructor(rows: RowBridge) {
    this.rows = rows;
  }

  /** Runs a step in which `solver` solves the rows. Returns what its callbacks have thrown: the first error, or nothing. */
  run(solver: OwnSolver, step: () => void): unknown[] {
    const outer = current;
    current = this;
    this.solver = solver;
    this.iteration = null;
    this.failed = [];
    try {
      step();
      return this.failed;
    } finally {
      current = outer;
      this.solver = null;
      this.iteration = null;
    }
  }

  /** One problem: `count` iterations. If a callback throws, this one and those after it in the step keep the impulses they start from. */
  solve(count: number): void {
    const { rows } = this;
    if (this.failed.length > 0 || !rows.read(this.iteration === null)) return;
    this.isInside = true;
    try {
      this.iteration ??= this.startMethod();
      this.iteration.begin?.();
      for (let i = 0; i < count; i++) this.iteration.iterate();
      rows.write();
    } catch (error) {
      this.failed.push(error);
    } finally {
      this.isInside = false;
    }
  }

  private startMethod(): RowIteration {
    const { name, start } = this.solver!;
    const made: unknown = start(this.rows.rows);
    const { iterate, begin } = (made ?? {}) as Partial<RowIteration>;
    const what = `solver '${name}': start(rows)`;
    if (made === null || typeof made !== 'object') fail(what, 'a function that returns { iterate() }', made);
    if (typeof iterate !== 'function') {
      throw new TalusError('invalid-argument', `${what} must return { iterate() }, got ${show(made)}`);
    }
    if (begin !== undefined && typeof begin !== 'function') {
      throw new TalusError('invalid-argument', `${what} must return begin as a function, got ${show(begin)}`);
    }
    return made as RowIteration;
  }
}

/** The steps that run now: a callback may step another world. */
let current: OwnSteps | null = null;

/** What the core calls: assembly/study/methods/own.ts. */
export const ownImports = { own: { solve: (count: number) => current?.solve(count) } };
