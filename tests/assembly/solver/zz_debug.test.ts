import { it } from 'vitest';
import { SOLVER_PGS } from '../../../src/layout.generated';
import { addBody, addJoint, hinge, measured, recordOf } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';
it('x', () => {
  const world = boxWorld([]);
  world.core.setSolver(SOLVER_PGS);
  world.setHeader('onRows', 1);
  world.setHeader('relax', 1);
    const [x, y] = [Math.sin(Math.PI / 3), Math.cos(Math.PI / 3)];
    const body = addBody(world, [x, 10 - y, 0], 1, [0.01, 0.01, 0.01]);
    addJoint(world, { ...hinge, bodyA: null, bodyB: body, anchorA: [0, 10, 0], anchorB: [-x, y, 0] });
    for (let i = 0; i < 400; i++) {
      world.core.step();
      const s = world.state().subarray(body * 20, body * 20 + 20);
    const energy =0.5 * Math.hypot(s[0]!, s[1]!, s[2]!) ** 2 + 0.005 * Math.hypot(s[4]!, s[5]!, s[6]!) ** 2 + 9.81 * (s[9]! - 9);
      if (i % 10 === 0 || i < 5) console.log(i, energy.toFixed(4), [...s.subarray(0,12)].map(v=>v.toFixed(3)).join(' '), measured(world,0)[7]!.toExponential(2), recordOf(world,0)('jx'), recordOf(world,0)('jy'));
    }
});
