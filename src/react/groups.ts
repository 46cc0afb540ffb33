// Whom characters and ragdolls meet, as props: categories and mask of talus, or both in one number as Rapier packs them. As all bodies of
// components they belong to all groups where no prop says otherwise.

export interface GroupsProps {
  /** Categories that it belongs to, 32 bits; default the first 16. */
  category?: number;
  /** Categories that it meets, 32 bits; default all. */
  mask?: number;
  /** The same in one number: `interactionGroups(0, [1, 2])`. */
  collisionGroups?: number;
}

const ALL = 0xffff;

/** Category and mask of props. */
export function groupsOf({ category, mask, collisionGroups }: GroupsProps): { category: number; mask: number } {
  if (collisionGroups === undefined) return { category: category ?? ALL, mask: mask ?? 0xffffffff };
  return { category: category ?? collisionGroups >>> 16, mask: mask ?? collisionGroups & ALL };
}
