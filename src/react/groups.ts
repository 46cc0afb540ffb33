// Collision filter props of characters and ragdolls: category and mask of talus, or both packed in one number as Rapier does. Like all
// bodies of components they belong to all groups by default.

export interface GroupsProps {
  /** Categories of the body, 32 bits; default the first 16. */
  category?: number;
  /** Categories that the body collides with, 32 bits; default all. */
  mask?: number;
  /** Category and mask in one number: `interactionGroups(0, [1, 2])`. */
  collisionGroups?: number;
}

const ALL = 0xffff;

/** Returns category and mask of props. */
export function groupsOf({ category, mask, collisionGroups }: GroupsProps): { category: number; mask: number } {
  if (collisionGroups === undefined) return { category: category ?? ALL, mask: mask ?? 0xffffffff };
  return { category: category ?? collisionGroups >>> 16, mask: mask ?? collisionGroups & ALL };
}
