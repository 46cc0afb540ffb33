// Worlds of both entries of the package: tests of all solvers run those of the product on the core of the product, and the
// others on that of talus/study.
import { createWorld as createProduct } from '../../src/index';
import { checkOptions, type EditionTypes } from '../../src/options/options';
import { createWorld as createStudy, type World, type WorldOptions } from '../../src/study/index';
import type { World as ProductWorld } from '../../src/world/world';

/** A world of either entry. */
export type AnyWorld = ProductWorld<EditionTypes>;

function isProduct(options: object): boolean {
  try {
    checkOptions(options);
    return true;
  } catch {
    return false;
  }
}

/** A world of the product if it has these options, else one of talus/study. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  return isProduct(options) ? ((await createProduct(options as object)) as unknown as World) : createStudy(options);
}
