// Shapes, poses of two of them, what their tests answer.

export const shapes = [
  {
    name: 'Shape', count: 'per shape', align: 16,
    doc: 'Geometry, shared by any number of colliders. Local frame.',
    fields: [
      ['type', 'u32', 'SHAPE_*'],
      ['flags', 'u32', 'bit 0 alive'],
      ['generation', 'u32'],
      ['users', 'u32', 'colliders that use it'],
      ['p', 'f32 0 1 2', 'parameter by type', 'm'], ['extent', 'f32', 'largest distance of a point from the shape origin', 'm'],
      ['min', 'f32 X Y Z', 'local bounds', 'm'],
      ['dataPtr', 'u32', 'byte address of the hull, mesh or heightfield blob, 0 if none'],
      ['max', 'f32 X Y Z', 'local bounds', 'm'], ['dataBytes', 'u32', '', 'bytes'],
    ],
  },
  {
    name: 'RelPose', count: 'scratch', align: 16,
    doc: 'Pose of shape B in the frame of shape A: p_A = R p_B + t. Columns c0 c1 c2 are the axes of B in the frame of A.',
    fields: [
      ['c0', 'vec3'], ['tx', 'f32', '', 'm'],
      ['c1', 'vec3'], ['ty', 'f32', '', 'm'],
      ['c2', 'vec3'], ['tz', 'f32', '', 'm'],
    ],
  },
  {
    name: 'ManifoldOut', count: 'scratch', align: 16,
    doc:
      'What a narrow-phase test returns, in the frame of shape A: the normal from A to B and up to 4 points on the surface of ' +
      'A. Point on B = point + normal * separation.',
    fields: [
      ['count', 'u32', 'points, 0..4'],
      ['gap', 'f32', 'lower bound of the distance when count is 0', 'm'],
      ['feature', 'u32', 'triangle index for meshes'],
      ['pad0', 'u32'],
      ['n', 'vec3', 'unit normal'], ['pad1', 'f32'],
      ...[0, 1, 2, 3].flatMap((i) => [
        [`*${i}`, 'vec3', 'point on A', 'm'], [`s${i}`, 'f32', 'separation, negative inside', 'm'],
      ]),
    ],
  },
];
