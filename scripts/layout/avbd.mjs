// Augmented Vertex Block Descent of talus/study (assembly/study/avbd).

/** Places of a joint's rows: locked linear 0-2, locked angular 3-5, limits 6-12, drives 13-18, dry friction 19-24, by load 25-27. */
const JOINT_SLOTS = Array.from({ length: 28 }, (_, i) => i).join(' ');

export const avbd = [
  {
    name: 'AvbdState', count: 'one', align: 64,
    doc: 'Address book of AVBD at Header.avbdState.',
    fields: [
      ['bodies', 'array', 'AvbdBody[]'],
      ['manifolds', 'array', 'AvbdManifold[], at the place of the manifold'],
      ['joints', 'array', 'AvbdJoint[], at the place of the joint'],
      ['rows', 'array', 'AvbdRow[]: three a contact point (normal, two tangents), link by link, then those of joints'],
      ['setStarts', 'array', 'u32[links + joints + 1]: first row of each constraint'],
      ['bodyStarts', 'array', 'u32[bodies + 1]: first entry of a body in bodySets'],
      ['bodySets', 'array', 'u32[]: constraints of each dynamic body, constraint << 1 | side'],
      ['block', 'array', 'f64[]: lower triangle of a body’s 6x6 matrix by rows of an even length, then its right side (block.ts)'],
      ['links', 'u32', 'contacts among the constraints: they come first'],
      ['sets', 'u32', 'constraints'],
      ['rowCount', 'u32'],
      ['pad', 'u32 0 1 2', 'zero'],
      ['leastPenalty', 'f64', 'over AvbdRow.unit', 'N/m'],
      ['h', 'f64', 'substep', 's'],
      ['ramp', 'f64', 'beta: growth of a penalty, per iteration and metre of error; by mass where AvbdRow.unit is one', 'N/m2'],
      ['errorKept', 'f64', 'alpha: share of the error at the start of the substep that this one leaves'],
      ['residual', 'f64', 'sum of the squared steps of the last iteration, by mass', 'kg m2'],
    ],
  },
  {
    name: 'AvbdBody', count: 'per body', align: 16,
    doc: 'A body of AVBD. Motion is since the start of the step: translation of the center of mass, rotation vector.',
    fields: [
      ['d', 'f64 x y z', 'now', 'm'], ['p', 'f64 x y z', '', 'rad'],
      ['startD', 'f64 x y z', 'at the start of the substep', 'm'], ['startP', 'f64 x y z', '', 'rad'],
      ['targetD', 'f64 x y z', 'where inertia and forces alone would take it', 'm'], ['targetP', 'f64 x y z', '', 'rad'],
      ['mass', 'f64', 'over the squared substep; 0: impulses do not move it', 'N/m'],
      ['i', 'f64 xx yy zz xy xz yz', 'inertia, world axes, over the squared substep', 'N m'],
      ['lastV', 'vec3', 'velocity at the start of the last step', 'm/s'], ['generation', 'u32', 'of the body that it is of, plus 1'],
      ['locks', 'u32', 'bits 0-5'],
      ['pad0', 'u32', 'zero'],
    ],
  },
  {
    name: 'AvbdRow', count: 'per row', align: 16,
    doc:
      'A row C(x) of AVBD: its gradient on both bodies, linear part first. The force along it is lambda - penalty C within ' +
      'least to most; positive forces raise C.',
    fields: [
      ['a', 'f64 x y z', 'gradient on body A: linear'], ['at', 'f64 x y z', 'angular', 'm'],
      ['b', 'f64 x y z', 'gradient on body B: linear'], ['bt', 'f64 x y z', 'angular', 'm'],
      ['lambda', 'f64', '0 of springs', 'N'], ['penalty', 'f64', '', 'N/m'], ['value', 'f64', 'C', 'm'],
      ['start', 'f64', 'at the start of the substep: separation, slip, error or place, by the kind of row', 'm'],
      ['least', 'f64', '', 'N'], ['most', 'f64', '', 'N'],
      ['stiffness', 'f64', 'largest penalty: infinite of hard rows', 'N/m'],
      ['unit', 'f64', 'factor on penalties and their growth: the reduced mass of the bodies in kg, scaled to the substep, or 1'],
      ['slot', 'u32', 'joint: place in AvbdJoint'],
      ['flags', 'u32', 'assembly/study/avbd/row.ts'],
      ['pad0', 'f64', 'zero'],
    ],
  },
  {
    name: 'AvbdPoint', count: 'four in an AvbdManifold', align: 16,
    doc: 'What a contact point carries from step to step.',
    fields: [
      ['lambda', 'f32 0 1 2', 'force along the normal and both tangents', 'N'], ['impulse', 'f32', 'as written back', 'N s'],
      ['penalty', 'f32 0 1 2', '', 'N/m'], ['pad0', 'f32', 'zero'],
      ['drift', 'f32 1 2', 'slip along the tangents since it sticks', 'm'], ['pad', 'f32 1 2', 'zero'],
      ['anchor', 'vec3', 'in the frame of the body that moves', 'm'], ['pad3', 'f32', 'zero'],
    ],
  },
  {
    name: 'AvbdManifold', count: 'per manifold', align: 16,
    doc: 'What a manifold carries from step to step (assembly/study/avbd/carry.ts).',
    fields: [
      ['bodyA', 'u32', 'bodies of the manifold when this was written'], ['bodyB', 'u32'], ['count', 'u32', 'points'],
      ['feature', 'u32'],
      ['lambda', 'f32 0 1 2', 'rolling resistance about both tangents, spinning friction: over the arm of the rows', 'N'],
      ['penalty', 'f32 0 1 2', '', 'N/m'],
      ['pad', 'u32 0 1', 'zero'],
      ['t', 'vec3', 'first tangent, world frame'], ['pad2', 'u32', 'zero'],
    ],
    rest: [['AVBD_POINTS', 'AvbdPoint', 4, 'its points']],
  },
  {
    name: 'AvbdJoint', count: 'per joint', align: 16,
    doc: 'What a joint carries from step to step, by the place of its rows.',
    fields: [
      ['generation', 'u32', 'of the joint that it is of, plus 1'], ['kind', 'u32'], ['pad', 'u32 0 1', 'zero'],
      ['lambda', `f32 ${JOINT_SLOTS}`, 'force; of angular rows over the arm of the row', 'N'],
      ['penalty', `f32 ${JOINT_SLOTS}`, '', 'N/m'],
    ],
  },
];
