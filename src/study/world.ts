// A world of `talus/study`: that of the product with more solvers and options, and with counters and reports of its own.

import { checkWord } from '../checks/validate';
import type { StepSolver } from '../gpu/step_solver';
import type { Edition } from '../options/edition';
import type { EditionTypes, OpenOptions } from '../options/options';
import type { LoadedCore } from '../wasm/load';
import type { Faults } from '../world/base';
import { type CloneOptions, World as ProductWorld } from '../world/world';
import type { StudyExports } from './core';
import { RowSolver } from './gpu/row_solver';
import { ORDERING_NAMES, type OrderingName, type OrderingReport, readOrdering } from './methods';
import type { Settings, WorldSettings } from './options';
import type { ActiveSolver } from './solvers';

/** Types of `talus/study`. */
export interface Study extends EditionTypes {
  asked: WorldSettings;
  settings: Settings;
  solver: ActiveSolver;
}

/** `Faults` of the product, and those of some methods. */
export interface StudyFaults extends Faults {
  /** Number of steps on WebGPU whose fixed-point sums (setting `accumulation`) left their range: WASM solved them. */
  saturated: number;
}

/** A world of rigid bodies with the published methods, created by `createWorld` of `talus/study`. */
export class World extends ProductWorld<Study> {
  declare readonly faults: StudyFaults;

  /** @internal */
  constructor(loaded: LoadedCore, options: WorldSettings & OpenOptions, edition: Edition<Study>) {
    super(loaded, options, edition);
    this.faults.saturated = 0;
  }

  /** Returns how an ordering would batch the contacts of the last step. */
  orderingReport(ordering: OrderingName): OrderingReport {
    this.alive();
    const kind = checkWord(ordering, 'ordering', ORDERING_NAMES);
    const address = (this.core as StudyExports).orderReport(kind) >>> 0;
    this.checkMemory(address);
    return readOrdering(this.memory, address);
  }

  /**
   * Solver of the next step, on the active backend. It is the solver of the settings, with these exceptions: `auto`; options that
   * `wide` and `colored` do not have (friction models other than `patch`, most of docs/methods.md), for which their slower scalar
   * counterparts `pgs` and `color-order` run; and WebGPU, where `colored` is `color-order`, and `cell-split` replaces solvers
   * that do not run there.
   */
  override get activeSolver(): ActiveSolver {
    return super.activeSolver;
  }

  override async clone(options: CloneOptions = {}): Promise<World> {
    return (await super.clone(options)) as World;
  }

  /** @internal */
  protected override sibling(loaded: LoadedCore, options: WorldSettings & OpenOptions, edition: Edition<Study>): World {
    return new World(loaded, options, edition);
  }

  /** @internal */
  protected override refused(gpu: StepSolver): void {
    if (gpu instanceof RowSolver && gpu.overflowed) this.faults.saturated++;
  }
}
