// Bodies and their colliders.

export const bodies = [
  {
    name: 'BodyRow', count: 'per body', align: 64,
    doc: 'The 64 hot bytes of a body that solvers touch, one cache line: velocities at the center of mass, world frame.',
    fields: [
      ['v', 'vec3', 'linear velocity', 'm/s'],
      ['invMass', 'f32', '1 / mass, 0 for static and kinematic', '1/kg'],
      ['w', 'vec3', 'angular velocity', 'rad/s'],
      ['pad0', 'f32', 'zero'],
      ['sv', 'vec3', 'linear velocity that the last substep integrated', 'm/s'],
      ['pad1', 'f32', 'zero'],
      ['sw', 'vec3', 'angular velocity that the last substep integrated', 'rad/s'],
      ['pad2', 'f32', 'zero'],
    ],
  },
  {
    name: 'BodyDelta', count: 'per body', align: 32,
    doc: 'Motion of a body since the start of the step (translation of the center of mass, rotation vector), world frame.',
    fields: [
      ['d', 'vec3', 'translation', 'm'], ['pad0', 'f32', 'zero'],
      ['p', 'vec3', 'rotation vector', 'rad'], ['pad1', 'f32', 'zero'],
    ],
  },
  {
    name: 'BodyAccel', count: 'per body', align: 32,
    doc: 'Acceleration of a body, constant over the step: gravity, forces, damping, gyroscopic torque. World frame.',
    fields: [
      ['a', 'vec3', 'linear acceleration', 'm/s2'], ['pad0', 'f32', 'zero'],
      ['b', 'vec3', 'angular acceleration', 'rad/s2'], ['pad1', 'f32', 'zero'],
    ],
  },
  {
    name: 'BodyInertia', count: 'per body', align: 32,
    doc: 'World-frame inverse inertia about the center of mass, symmetric; zero for static and kinematic bodies.',
    fields: [
      ['', 'f32 xx yy zz xy xz yz', '', '1/(kg m2)'],
      ['pad', 'f32 0 1', 'zero'],
    ],
  },
  {
    name: 'BodyCenter', count: 'per body', align: 32,
    doc:
      'Center of mass in the world, as an unevaluated sum high + low of two floats, so that motion far below one ulp of the ' +
      'position is kept.',
    fields: [
      ['', 'vec3', 'high part', 'm'], ['pad0', 'f32', 'zero'],
      ['l', 'vec3', 'low part', 'm'], ['pad1', 'f32', 'zero'],
    ],
  },
  {
    name: 'BodyCold', count: 'per body', align: 16,
    doc: 'What the step reads at most once a body.',
    fields: [
      [
        'flags', 'u32',
        'type in bits 0-1; bit 8 alive; bit 9 anisotropic inertia (needs gyroscopic torque); bit 10 has damping, force or ' +
        'gravity scale; bit 11 mass properties changed; bit 12 asleep; bit 13 stopped in this step; bit 16 has slept; bit 18 ' +
        'put to sleep by a call since the last step; bit 19 fell asleep in the last step; bit 20 bullet; bit 21 never sleeps; ' +
        'bit 22 has speed limits; bit 23 not enabled; bits 24-26 translation locked along x y z, 27-29 rotation about them',
      ],
      ['generation', 'u32', 'counts reuses of the slot'],
      ['firstCollider', 'u32', 'head of the list of colliders, NONE if empty'],
      ['colliderCount', 'u32'],
      ['com', 'f32 X Y Z', 'center of mass in the body frame', 'm'],
      ['extent', 'f32', 'largest distance of any point of the body from its center of mass', 'm'],
      ['i', 'f32 xx yy zz xy xz yz', 'inertia about the center of mass, body frame', 'kg m2'],
      ['mass', 'f32', '', 'kg'], ['gravityScale', 'f32'],
      ['j', 'f32 xx yy zz xy xz yz', 'inverse inertia about the center of mass, body frame', '1/(kg m2)'],
      ['linearDamping', 'f32', '', '1/s'], ['angularDamping', 'f32', '', '1/s'],
      ['f', 'vec3', 'force at the center of mass, cleared after a step', 'N'],
      ['inner', 'f32', 'least inner radius of its convex colliders', 'm'],
      ['t', 'vec3', 'torque, cleared after a step', 'N m'],
      ['maxLinearSpeed', 'f32', 'with FLAG_LIMITED: limits of its own', 'm/s'],
      ['wl', 'vec3', 'low part of the angular velocity, good while it is below half an ulp of it', 'rad/s'],
      ['maxAngularSpeed', 'f32', '', 'rad/s'],
      [
        'rest', 'f32 X Y Z',
        'force of fields (assembly/constraints/fields.ts) in the last step; of a sleeper: that it rests in',
        'N',
      ],
      ['pad0', 'u32', 'zero'],
    ],
  },
  {
    name: 'PastPose', count: 'per body', align: 32,
    doc: 'Pose of the body origin before the last step that moved the body; of worlds that are drawn between steps.',
    fields: [
      ['', 'vec3', 'origin in the world', 'm'],
      ['step', 'u32', 'Header.stepCount after that step; 0: the body jumped since, or is new'],
      ['rotation', 'vec4f', 'unit quaternion x y z w'],
    ],
  },
  {
    name: 'BodyNode', count: 'per body', align: 32,
    doc: 'Place of a body in the graph of constraints: its list, its island, its rest.',
    fields: [
      ['firstEnd', 'u32', 'head of the list of its constraints (assembly/constraints/lists.ts), NONE if empty'],
      ['next', 'u32', 'next body in the ring of its island, itself if it is alone'],
      ['cuts', 'u32', 'of a root: constraints between bodies of the island that ended since it was last split'],
      ['split', 'u32', 'step in which its island was last split'],
      ['calm', 'f32', 'time at rest', 's'],
      ['least', 'f32', 'of a root: least time at rest in the island; scratch of sleep, the largest float between steps', 's'],
      ['colors', 'u32', 'of SOLVER_COLORED: bits of the colors of its manifolds'],
      ['firstJoint', 'u32', 'head of the list of its joints (assembly/constraints/joints.ts), NONE if empty'],
    ],
  },
  {
    name: 'Collider', count: 'per collider', align: 16,
    doc: 'One shape on one body with a local pose and a material.',
    fields: [
      ['body', 'u32', 'body index, NONE if the slot is free'], ['shape', 'u32', 'shape index'],
      ['flags', 'u32', 'COLLIDER_* in bits 0-7, reuses of the slot in bits 8-31'],
      ['next', 'u32', 'next collider of the body, or next free slot'],
      ['category', 'u32', 'collision category bits'], ['mask', 'u32', 'categories it collides with'],
      ['friction', 'f32'], ['restitution', 'f32'],
      [
        'combine', 'u32',
        'COMBINE_* of friction in bits 0-7, of restitution in bits 8-15, of rolling resistance in bits 16-23, of spinning ' +
        'friction in bits 24-31',
      ],
      ['firstPair', 'u32', 'head of the list of its pairs (assembly/constraints/pair_lists.ts), NONE if empty'],
      ['leaf', 'u32', 'leaf in its broad-phase tree'],
      ['density', 'f32', '', 'kg/m3'],
      ['', 'vec3', 'shape origin relative to the center of mass, body frame', 'm'], ['rollingResistance', 'f32'],
      ['q', 'f32 x y z w', 'shape rotation in the body frame'],
      ['surface', 'f32 X Y Z', 'with COLLIDER_SURFACE: velocity of its surface, shape frame', 'm/s'],
      ['spinningFriction', 'f32', 'arm of the normal force against spin about the normal', 'm'],
      ['surfaceW', 'vec3', 'and angular velocity about its origin', 'rad/s'], ['group', 'u32', 'group of contact rules, 0-63'],
      ['open', 'f32 X Y Z', 'with COLLIDER_ONE_WAY: direction in which bodies pass, shape frame, unit'], ['pad0', 'u32', 'zero'],
    ],
  },
  {
    name: 'Aabb', count: 'per collider', align: 32,
    doc: 'Fat axis-aligned bounding box in the world: what the broad phase sees.',
    fields: [
      ['min', 'f32 X Y Z', '', 'm'], ['pad0', 'f32', 'zero'],
      ['max', 'f32 X Y Z', '', 'm'], ['pad1', 'f32', 'zero'],
    ],
  },
  {
    name: 'HitThreshold', count: 'per collider', align: 8, core: true,
    doc: 'At Header.hitThresholds, with COLLIDER_HITS.',
    fields: [
      ['speed', 'f32', 'from which a hit is told, negative: that of the world', 'm/s'], ['impulse', 'f32', '', 'N s'],
    ],
  },
  {
    name: 'Overlaps', count: 'per body', align: 8, core: true,
    doc: 'At Header.overlapCounts (assembly/pairs/overlap_limiter.ts).',
    fields: [
      ['count', 'u32', 'deep manifolds'], ['limit', 'f32', 'speed that the body may have after the solver', 'm/s'],
    ],
  },
  {
    name: 'Rotation', count: 'scratch', align: 16, core: true,
    doc: 'Columns of a rotation (assembly/math/quat.ts): the images of x, y and z.',
    fields: [
      ['x', 'vec3'], ['pad0', 'f32'], ['y', 'vec3'], ['pad1', 'f32'], ['z', 'vec3'], ['pad2', 'f32'],
    ],
  },
  {
    name: 'TurnedBody', count: 'scratch', align: 16, core: true,
    doc: 'Where turnBody (assembly/bodies/turn.ts) leaves its results.',
    fields: [
      ['rotation', 'vec4f', 'unit quaternion x y z w'],
      ['velocity', 'vec4f', 'angular velocity, 0', 'rad/s'],
      ['low', 'vec4f', 'low part of it, 0', 'rad/s'],
    ],
  },
  {
    name: 'BodyVelocity', count: 'per body', align: 32,
    doc: 'Velocity of a body in arrays beside BodyRow: Header.startVelocities, MethodState.',
    fields: [
      ['v', 'vec3'], ['invMass', 'f32'], ['w', 'vec3'], ['pad', 'f32'],
    ],
  },
];
