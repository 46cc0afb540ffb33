// The one source of every memory layout that AssemblyScript, TypeScript and WGSL share; its rooms lie in scripts/layout/.
//
// Each struct: name, what one element is, fields in order. Each field: [name, type, meaning, unit].
// Types: f32 u32 i32, f64 (8-byte aligned), vec4f vec4u (16-byte aligned, four scalars), `columns` (four lanes) and `lanes`
// (four whole numbers). A list of names behind a type makes one field of each: ['normal', 'columns X Y Z'] is normalX, normalY,
// normalZ; `vec3` stands for `f32 x y z`. A star in the name is where the part goes: ['la*0', 'vec3'] is lax0, lay0, laz0.
// `vec4u: a b c d` is one field for the host and for WGSL; the core has its lanes a, b, c, d.
// What the core has as x y z or x y z w, or as named lanes, it also has as one v128 under the name of the field (`xyz` if nothing
// stands before the part): of three the fourth lane is what lies behind them, and setting the row sets that too.
// `array` is an array that grows, for ensureArray: its address, then the elements that it has room for under a second name.
// `core: true`: a struct of the core alone, which the host does not know; it may also have u8 bool u16 u64 usize, and the
// name of a struct: its address.
// `rest`: arrays of fixed length behind the fields, [CONSTANT, struct or type, count, meaning]; the constant is the offset of its
// array. A count may be the name of a constant.
// Padding is explicit; every stride must be a multiple of `align` (default 16).
// `wgsl: true` also writes the struct to shaders/shared/layout.generated.wgsl (only f32 u32 i32 vec4f vec4u allowed),
// `wgsl: 'jacobi'` to shaders/shared/jacobi_layout.generated.wgsl, which only talus/study needs.
// `npm run layout` regenerates the AssemblyScript, TypeScript and WGSL files and docs/memory-map.md.

import { avbd } from './layout/avbd.mjs';
import { batches } from './layout/batches.mjs';
import { bodies } from './layout/bodies.mjs';
import { broadphase } from './layout/broadphase.mjs';
import { constants } from './layout/constants.mjs';
import { contacts } from './layout/contacts.mjs';
import { impacts } from './layout/impacts.mjs';
import { joints } from './layout/joints.mjs';
import { lanes } from './layout/lanes.mjs';
import { narrowphase } from './layout/narrowphase.mjs';
import { ordering } from './layout/ordering.mjs';
import { pairs } from './layout/pairs.mjs';
import { queries } from './layout/queries.mjs';
import { shapes } from './layout/shapes.mjs';
import { split } from './layout/split.mjs';
import { study } from './layout/study.mjs';
import { threads } from './layout/threads.mjs';
import { world } from './layout/world.mjs';

export { constants };

export const structs = [
  ...world,
  ...threads,
  ...bodies,
  ...shapes,
  ...broadphase,
  ...narrowphase,
  ...pairs,
  ...contacts,
  ...lanes,
  ...batches,
  ...joints,
  ...impacts,
  ...ordering,
  ...split,
  ...queries,
  ...study,
  ...avbd,
];
