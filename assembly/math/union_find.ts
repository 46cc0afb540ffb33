// Disjoint sets over indices: parents is u32[], a root is its own parent. The root of a set is its smallest index, so what is
// made of sets does not depend on the order in which they were joined. Path halving (Tarjan, van Leeuwen, 1984).

/** Root of the set of i. */
export function rootOf(parents: usize, i: u32): u32 {
  let at: u32 = i;
  let parent: u32 = load<u32>(parents + ((<usize>at) << 2));
  while (parent != at) {
    const above: u32 = load<u32>(parents + ((<usize>parent) << 2));
    store<u32>(parents + ((<usize>at) << 2), above);
    at = above;
    parent = load<u32>(parents + ((<usize>at) << 2));
  }
  return at;
}

/** The same, nothing is written: for several threads at once. */
export function seenRootOf(parents: usize, i: u32): u32 {
  let at: u32 = i;
  for (let parent: u32 = load<u32>(parents + ((<usize>at) << 2)); parent != at; ) {
    at = parent;
    parent = load<u32>(parents + ((<usize>at) << 2));
  }
  return at;
}

/** Makes one set of those of a and b. */
export function join(parents: usize, a: u32, b: u32): void {
  const rootA: u32 = rootOf(parents, a),
    rootB: u32 = rootOf(parents, b);
  if (rootA != rootB) store<u32>(parents + ((<usize>max<u32>(rootA, rootB)) << 2), min<u32>(rootA, rootB));
}
