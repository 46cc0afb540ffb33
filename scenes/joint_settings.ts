// A joint of a scene without its bodies and with no field that means nothing to its type: what engines take that refuse those.
import type { SceneJoint } from './types';

/** Types that have no frame but their anchors, and those without anchors. */
const FRAMELESS: readonly string[] = ['ball', 'distance', 'pulley'];

export function jointSettings(joint: SceneJoint): Omit<SceneJoint, 'bodyA' | 'bodyB'> {
  const { bodyA: _a, bodyB: _b, ...settings } = joint;
  const rest: Partial<typeof settings> = settings;
  if (FRAMELESS.includes(joint.type)) {
    delete rest.frameA;
    delete rest.frameB;
  }
  if (joint.type === 'gear') {
    delete rest.anchorA;
    delete rest.anchorB;
  }
  return settings;
}
