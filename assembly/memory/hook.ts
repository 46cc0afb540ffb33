// Hooks: methods of a room that a core with more in it overrides, and the room knows nothing of that core.
//
// A hook is a class without fields (LaneOrder, PointFriction, StepSolver, GapBias). Nothing is allocated for its object: it is
// the place 8 bytes behind a field of the header. A call of an overridden method looks for the id of the class 8 bytes before
// the object (the object header of AssemblyScript), so the field says whose methods are called; with 0 they are those of the
// hook itself. A core without a class that overrides calls them directly, and what only the other one needs is not compiled
// into it.
import { HEADER_PTR } from '../layout.generated';

/** The object of a hook, by the offset of its field in the header. */
// @ts-ignore: decorator
@inline
export function hookAt<T>(field: usize): T {
  return changetype<T>(<usize>HEADER_PTR + field + 8);
}
