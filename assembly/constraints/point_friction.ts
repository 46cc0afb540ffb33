// Friction of single points in place of that of a manifold, for mass splitting: a hook (memory/hook.ts). The product has none;
// assembly/study/friction/point_friction.ts has.
//
// Its rows of impulses, two vec4f, lie behind the row of the link: at SPLIT_LINK_ROW + 1 of SplitState.impulses, in edits and in
// results of the GPU. `link` is the address of the row before them.
import { Header, SplitMember, SplitState, SplitStep } from '../layout.generated';
import { hookAt } from '../memory/hook';

export class PointFriction {
  /** Whether friction is that of points in this step. */
  isOn(): bool {
    return false;
  }
  /** Makes room for stored impulses. False without memory. */
  reserve(): bool {
    return true;
  }
  /** Carried impulses of a manifold. */
  carry(manifold: u32, link: usize): void {}
  /** Masses of the points of link l. */
  prepare(s: SplitState, l: u32, member: SplitMember): void {}
  /** Applies the carried impulses of link l. */
  warm(step: SplitStep, l: u32): void {}
  /** One sweep over the rows of link l. */
  sweep(s: SplitState, l: u32): void {}
  /** Keeps the impulses of a solved manifold; false: they are those of the manifold. */
  keep(s: SplitState, manifold: u32, link: usize): bool {
    return false;
  }
}

export function pointFriction(): PointFriction {
  return hookAt<PointFriction>(offsetof<Header>('pointFriction'));
}
