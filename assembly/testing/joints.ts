// Test entry of joints in solver form.
import { JointGroup } from '../layout.generated';
import { jointOf } from '../joints/begin';
import { firstUnit } from '../joints/layout';
import { jointState } from '../joints/state';
import { at32 } from '../memory/words';

/** Address of the first row of a joint (driven and limited axes), in its lane: columns are 16 bytes apart. 0: there is none. */
export function testUnitOf(joint: u32): usize {
  const s = jointState();
  for (let k: u32 = 0; k < s.groupCount; k++) {
    const g: JointGroup = changetype<JointGroup>(at32(s.order, k));
    for (let lane: usize = 0; lane < 4; lane++)
      if (jointOf(g, lane) == joint) return changetype<usize>(firstUnit(g)) + (lane << 2);
  }
  return 0;
}
