// Vectors of four lanes: columns x, y, z, one vector a lane. A value type: what is written with vectors compiles to what stands
// here for each component, with the same roundings (scripts/value_types.mjs). One vector in a v128: vec3.ts.
import { addW, dotW, mulW, negW, splatW, subW } from './lane';

@value
export class VectorW {
  constructor(
    public x: v128,
    public y: v128,
    public z: v128,
  ) {}
}

export function zeroVector(): VectorW {
  return new VectorW(splatW(0), splatW(0), splatW(0));
}
export function plus(a: VectorW, b: VectorW): VectorW {
  return new VectorW(addW(a.x, b.x), addW(a.y, b.y), addW(a.z, b.z));
}
export function minus(a: VectorW, b: VectorW): VectorW {
  return new VectorW(subW(a.x, b.x), subW(a.y, b.y), subW(a.z, b.z));
}
export function opposite(a: VectorW): VectorW {
  return new VectorW(negW(a.x), negW(a.y), negW(a.z));
}
export function times(a: VectorW, s: v128): VectorW {
  return new VectorW(mulW(a.x, s), mulW(a.y, s), mulW(a.z, s));
}
/** x, y and z each by a factor of its own. */
export function timesEach(a: VectorW, s: VectorW): VectorW {
  return new VectorW(mulW(a.x, s.x), mulW(a.y, s.y), mulW(a.z, s.z));
}
export function dot(a: VectorW, b: VectorW): v128 {
  return dotW(a.x, a.y, a.z, b.x, b.y, b.z);
}
export function cross(a: VectorW, b: VectorW): VectorW {
  return new VectorW(
    subW(mulW(a.y, b.z), mulW(a.z, b.y)),
    subW(mulW(a.z, b.x), mulW(a.x, b.z)),
    subW(mulW(a.x, b.y), mulW(a.y, b.x)),
  );
}
/** Keeps the lanes that a mask selects; others become 0. */
export function masked(a: VectorW, mask: v128): VectorW {
  return new VectorW(v128.and(a.x, mask), v128.and(a.y, mask), v128.and(a.z, mask));
}
