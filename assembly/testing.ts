// Second entry of test builds: internals that tests reach, one file a folder.
export { manifoldAt } from './constraints/manifolds';
export { ensureArray } from './memory/allocator';
export * from './testing/polyhedra';
export * from './testing/split';
export * from './testing/core';
export * from './testing/constraints';
export * from './testing/surfaces';
export * from './testing/round';
export * from './testing/methods';
export * from './testing/sweep';
export * from './testing/schedule';
export * from './testing/jobs';
export * from './testing/wide_oracle';
export * from './testing/manifolds';
export * from './testing/pairs';
export * from './testing/impacts';
export * from './testing/threads';
