// Test entry of joints in solver form.
import { JointGroup } from '../layout.generated';
import { jointOf } from '../joints/begin';
import { moveJointBodies } from '../joints/bodies';
import { firstUnit } from '../joints/layout';
import { jointChunkAt, jointState } from '../joints/state';
import { at32 } from '../memory/words';

export { factorBlock, solveBlock as solveJointBlock } from '../joints/block';
export {
  beginJointBodies,
  dropGyros,
  fastestOf,
  holdJointBodies,
  keepPoses as keepJointPoses,
  restorePoses as restoreJointPoses,
  turnJointBodies,
} from '../joints/bodies';
export { beginGroupsOfJoints } from '../joints/begin';
export { dropRaises, energyOf, raiseInertia, returnLent, weighLoads, weighRatios } from '../joints/loads';
export { storeJointParameters } from '../joints/parameters';
export { jointParameters } from '../joints/state';
export { factorTree, settleTrees, solveTrees } from '../joints/tree';
export { missOf, turnGroup, warmJoints } from '../joints/turn';
export { solveUnits } from '../joints/units';

/** Address of the group of a joint, in its lane: columns are 16 bytes apart. 0: there is none. */
export function testGroupOf(joint: u32): usize {
  const s = jointState();
  for (let k: u32 = 0; k < s.groupCount; k++) {
    const g: JointGroup = changetype<JointGroup>(at32(s.order, k));
    for (let lane: usize = 0; lane < 4; lane++) if (jointOf(g, lane) == joint) return changetype<usize>(g) + (lane << 2);
  }
  return 0;
}
/** Address of the first row of a joint (driven and limited axes), in its lane: columns are 16 bytes apart. 0: there is none. */
export function testUnitOf(joint: u32): usize {
  const at = testGroupOf(joint);
  if (at == 0) return 0;
  const lane: usize = at & 15;
  return changetype<usize>(firstUnit(changetype<JointGroup>(at - lane))) + lane;
}
/** Addresses of the groups by their places in the order of the first chunk: 4 bytes each, up to that of groupEnd. */
export function testJointList(place: u32): usize {
  return <usize>jointState().order + ((<usize>place) << 2);
}
export function testJointGroupEnd(): u32 {
  return jointChunkAt(0).groupEnd;
}
/** JointBody of the first chunk: from the first up to the end. */
export function testFirstJointBody(): usize {
  return jointChunkAt(0).firstBody;
}
export function testJointBodyEnd(): usize {
  return jointChunkAt(0).bodyEnd;
}
export function testMoveJointBodies(first: usize, end: usize, h: f32): f32 {
  return moveJointBodies(first, end, f32x4.splat(h));
}
