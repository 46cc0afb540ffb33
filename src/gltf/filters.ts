// Converts the named collision systems of a file into categories and masks of talus, which have 32 bits.
import { TalusError } from '../checks/errors';
import { checkInteger, checkKeys } from '../checks/validate';
import type { Filter, PhysicsDocument } from './document';
import type { Issues } from './issues';

/**
 * Bit 0 is for colliders without a system, and for bodies that your program creates without a category: every mask contains it.
 */
const FREE = 1;
const MOST = 31;

/** Checks the option `systems`: bits 1 to 31 by name. */
export function checkSystems(value: unknown): Readonly<Record<string, number>> {
  if (value === undefined) return {};
  checkKeys(value, 'options.systems', Object.keys(value as object));
  const bits = new Map<number, string>();
  for (const [name, bit] of Object.entries(value as Record<string, unknown>)) {
    checkInteger(bit, `options.systems['${name}']`, 1, MOST);
    const other = bits.get(bit as number);
    if (other !== undefined)
      throw new TalusError('invalid-argument', `options.systems gives bit ${bit} to '${other}' and to '${name}'`);
    bits.set(bit as number, name);
  }
  return value as Record<string, number>;
}

export class Systems {
  /** Category bit of each system, as a number of 32 bits. */
  readonly categories = new Map<string, number>();

  constructor(document: PhysicsDocument, given: Readonly<Record<string, number>>, issues: Issues) {
    const taken = new Set<number>();
    for (const [name, bit] of Object.entries(given)) {
      this.categories.set(name, (1 << bit) >>> 0);
      taken.add(bit);
    }
    let next = 1;
    for (const { collider, trigger } of document.values()) {
      for (const filter of [collider?.filter, trigger?.filter]) {
        if (!filter) continue;
        for (const name of [...filter.systems, ...(filter.collideWith ?? []), ...(filter.notCollideWith ?? [])]) {
          if (this.categories.has(name)) continue;
          while (taken.has(next)) next++;
          if (next > MOST) {
            issues.skipped(
              'collisionFilters',
              -1,
              `the collision system '${name}' is one too many: talus has ${MOST}, and it is ignored`,
            );
            this.categories.set(name, 0);
            continue;
          }
          this.categories.set(name, (1 << next) >>> 0);
          taken.add(next);
        }
      }
    }
  }

  private bits(names: readonly string[]): number {
    return names.reduce((sum, name) => sum | this.categories.get(name)!, 0);
  }

  /** Returns category and mask of a collider. */
  of(filter: Filter | undefined): { category: number; mask: number } {
    if (!filter) return { category: FREE, mask: 0xffffffff };
    const category = this.bits(filter.systems) || FREE;
    let mask = 0xffffffff;
    if (filter.collideWith) mask = this.bits(filter.collideWith) | FREE;
    else if (filter.notCollideWith) mask = ~this.bits(filter.notCollideWith) | FREE;
    return { category: category >>> 0, mask: mask >>> 0 };
  }
}
