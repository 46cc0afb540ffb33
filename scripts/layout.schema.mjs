// The one source of every memory layout that AssemblyScript, TypeScript and WGSL share.
//
// Each struct: name, what one element is, fields in order. Each field: [name, type, meaning, unit].
// Types: f32 u32 i32 f64 (8-byte aligned) and vec4f vec4u (16-byte aligned, four scalars).
// Padding is explicit; every stride must be a multiple of `align` (default 16).
// `wgsl: true` also writes the struct to shaders/shared/layout.generated.wgsl (only f32 u32 i32 vec4f vec4u allowed).
// `npm run layout` regenerates the AssemblyScript, TypeScript and WGSL files and docs/memory-map.md.

/** Constants with one value in all three languages. */
export const constants = [
  ['NONE', 0xffffffff, 'u32', 'no index'],
  ['LANES', 4, 'u32', 'manifolds packed side by side in a lane group'],
  ['MAX_POINTS', 4, 'u32', 'contacts in a manifold'],
  ['HEADER_PTR', 1024, 'u32', 'byte address of the world header'],
  ['BODY_STATIC', 0, 'u32', 'body type: never moves'],
  ['BODY_KINEMATIC', 1, 'u32', 'body type: moves by its velocity, infinite mass'],
  ['BODY_DYNAMIC', 2, 'u32', 'body type: moves by forces and contacts'],
  ['SHAPE_SPHERE', 0, 'u32', 'shape type: p0 = radius (m)'],
  ['SHAPE_CAPSULE', 1, 'u32', 'shape type: axis y, p0 = radius, p1 = half height of the segment (m)'],
  ['SHAPE_BOX', 2, 'u32', 'shape type: p0 p1 p2 = half extents (m)'],
  ['SHAPE_HULL', 3, 'u32', 'shape type: convex hull blob'],
  ['SHAPE_CYLINDER', 4, 'u32', 'shape type: axis y, p0 = radius, p1 = half height (m)'],
  ['SHAPE_CONE', 5, 'u32', 'shape type: axis y, base at -p1, apex at +p1, p0 = base radius, p1 = half height (m)'],
  ['SHAPE_MESH', 6, 'u32', 'shape type: triangle mesh blob, static bodies only'],
  ['SHAPE_HEIGHTFIELD', 7, 'u32', 'shape type: heightfield blob, static bodies only'],
  ['COMBINE_AVERAGE', 0, 'u32', 'combine rule'],
  ['COMBINE_MULTIPLY', 1, 'u32', 'combine rule'],
  ['COMBINE_MIN', 2, 'u32', 'combine rule'],
  ['COMBINE_MAX', 3, 'u32', 'combine rule'],
  ['COMBINE_GEOMETRIC', 4, 'u32', 'combine rule: square root of the product'],
  ['SOLVER_COLORED', 0, 'u32', 'graph-coloured PGS, 4 manifolds at once'],
  ['SOLVER_PGS', 1, 'u32', 'sequential PGS, scalar: the oracle'],
  ['SOLVER_CELL_ORDER', 2, 'u32', 'PGS in cell-like order (Tsuda 2009)'],
  ['SOLVER_PAIR_SPLIT', 3, 'u32', 'block mass splitting by body pair (Tonge 2012, corrected)'],
  ['SOLVER_CELL_SPLIT', 4, 'u32', 'cell mass splitting: the twin of the WGSL passes'],
  ['SOLVER_EXTERNAL', 5, 'u32', 'the host solves (WebGPU); the step stops before the solver'],
  ['ERROR_OUT_OF_MEMORY', 1, 'u32', 'error bit: linear memory could not grow'],
  ['ERROR_NOT_FINITE', 2, 'u32', 'error bit: a body left the finite numbers and was stopped'],
  ['COLLIDER_SENSOR', 1, 'u32', 'collider flag: reports overlaps, makes no contacts'],
  ['COLLIDER_ALIGNED', 2, 'u32', 'collider flag: local pose is the identity'],
];

export const structs = [
  {
    name: 'BodyRow', count: 'per body', align: 64,
    doc: 'The 64 hot bytes of a body that solvers touch, one cache line: velocities at the centre of mass, world frame.',
    fields: [
      ['vx', 'f32', 'linear velocity x', 'm/s'], ['vy', 'f32', 'linear velocity y', 'm/s'], ['vz', 'f32', 'linear velocity z', 'm/s'],
      ['invMass', 'f32', '1 / mass, 0 for static and kinematic', '1/kg'],
      ['wx', 'f32', 'angular velocity x', 'rad/s'], ['wy', 'f32', 'angular velocity y', 'rad/s'], ['wz', 'f32', 'angular velocity z', 'rad/s'],
      ['pad0', 'f32', 'zero', ''],
      ['svx', 'f32', 'linear velocity that the last substep integrated, x', 'm/s'], ['svy', 'f32', 'y', 'm/s'], ['svz', 'f32', 'z', 'm/s'],
      ['pad1', 'f32', 'zero', ''],
      ['swx', 'f32', 'angular velocity that the last substep integrated, x', 'rad/s'], ['swy', 'f32', 'y', 'rad/s'], ['swz', 'f32', 'z', 'rad/s'],
      ['pad2', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'BodyDelta', count: 'per body', align: 32,
    doc: 'Motion of a body since the start of the step (translation of the centre of mass, rotation vector), world frame.',
    fields: [
      ['dx', 'f32', 'translation x', 'm'], ['dy', 'f32', 'translation y', 'm'], ['dz', 'f32', 'translation z', 'm'], ['pad0', 'f32', 'zero', ''],
      ['px', 'f32', 'rotation vector x', 'rad'], ['py', 'f32', 'rotation vector y', 'rad'], ['pz', 'f32', 'rotation vector z', 'rad'], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'BodyAccel', count: 'per body', align: 32,
    doc: 'Acceleration of a body, constant over the step: gravity, forces, damping, gyroscopic torque. World frame.',
    fields: [
      ['ax', 'f32', 'linear acceleration x', 'm/s2'], ['ay', 'f32', 'y', 'm/s2'], ['az', 'f32', 'z', 'm/s2'], ['pad0', 'f32', 'zero', ''],
      ['bx', 'f32', 'angular acceleration x', 'rad/s2'], ['by', 'f32', 'y', 'rad/s2'], ['bz', 'f32', 'z', 'rad/s2'], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'BodyInertia', count: 'per body', align: 32,
    doc: 'World-frame inverse inertia about the centre of mass, symmetric; zero for static and kinematic bodies.',
    fields: [
      ['xx', 'f32', '', '1/(kg m2)'], ['yy', 'f32', '', '1/(kg m2)'], ['zz', 'f32', '', '1/(kg m2)'], ['xy', 'f32', '', '1/(kg m2)'],
      ['xz', 'f32', '', '1/(kg m2)'], ['yz', 'f32', '', '1/(kg m2)'], ['pad0', 'f32', 'zero', ''], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'BodyCenter', count: 'per body', align: 32,
    doc: 'Centre of mass in the world, as an unevaluated sum high + low of two floats, so that motion far below one ulp of the position is kept.',
    fields: [
      ['x', 'f32', 'high part', 'm'], ['y', 'f32', '', 'm'], ['z', 'f32', '', 'm'], ['pad0', 'f32', 'zero', ''],
      ['lx', 'f32', 'low part', 'm'], ['ly', 'f32', '', 'm'], ['lz', 'f32', '', 'm'], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'BodyCold', count: 'per body', align: 16,
    doc: 'What the step reads at most once a body.',
    fields: [
      ['flags', 'u32', 'type in bits 0-1; bit 8 alive; bit 9 anisotropic inertia (needs gyroscopic torque); bit 10 has damping, force or gravity scale; bit 11 mass properties changed', ''],
      ['generation', 'u32', 'counts reuses of the slot', ''],
      ['firstCollider', 'u32', 'head of the list of colliders, NONE if empty', ''],
      ['colliderCount', 'u32', '', ''],
      ['comX', 'f32', 'centre of mass in the body frame', 'm'], ['comY', 'f32', '', 'm'], ['comZ', 'f32', '', 'm'],
      ['extent', 'f32', 'largest distance of any point of the body from its centre of mass', 'm'],
      ['ixx', 'f32', 'inertia about the centre of mass, body frame', 'kg m2'], ['iyy', 'f32', '', 'kg m2'], ['izz', 'f32', '', 'kg m2'], ['ixy', 'f32', '', 'kg m2'], ['ixz', 'f32', '', 'kg m2'], ['iyz', 'f32', '', 'kg m2'],
      ['mass', 'f32', '', 'kg'], ['gravityScale', 'f32', '', ''],
      ['jxx', 'f32', 'inverse inertia about the centre of mass, body frame', '1/(kg m2)'], ['jyy', 'f32', '', ''], ['jzz', 'f32', '', ''], ['jxy', 'f32', '', ''], ['jxz', 'f32', '', ''], ['jyz', 'f32', '', ''],
      ['linearDamping', 'f32', '', '1/s'], ['angularDamping', 'f32', '', '1/s'],
      ['fx', 'f32', 'force at the centre of mass, cleared after a step', 'N'], ['fy', 'f32', '', 'N'], ['fz', 'f32', '', 'N'], ['pad0', 'f32', 'zero', ''],
      ['tx', 'f32', 'torque, cleared after a step', 'N m'], ['ty', 'f32', '', 'N m'], ['tz', 'f32', '', 'N m'], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'Collider', count: 'per collider', align: 16,
    doc: 'One shape on one body with a local pose and a material.',
    fields: [
      ['body', 'u32', 'body index, NONE if the slot is free', ''], ['shape', 'u32', 'shape index', ''],
      ['flags', 'u32', 'COLLIDER_* bits', ''], ['next', 'u32', 'next collider of the body, or next free slot', ''],
      ['category', 'u32', 'collision category bits', ''], ['mask', 'u32', 'categories it collides with', ''],
      ['friction', 'f32', '', ''], ['restitution', 'f32', '', ''],
      ['combine', 'u32', 'COMBINE_* of friction in bits 0-7, of restitution in bits 8-15', ''], ['pairCount', 'u32', 'pairs that name it', ''], ['leaf', 'u32', 'leaf in its broad-phase tree', ''], ['density', 'f32', '', 'kg/m3'],
      ['x', 'f32', 'shape origin relative to the centre of mass, body frame', 'm'], ['y', 'f32', '', 'm'], ['z', 'f32', '', 'm'], ['pad0', 'f32', 'zero', ''],
      ['qx', 'f32', 'shape rotation in the body frame', ''], ['qy', 'f32', '', ''], ['qz', 'f32', '', ''], ['qw', 'f32', '', ''],
    ],
  },
  {
    name: 'Aabb', count: 'per collider', align: 32,
    doc: 'Fat axis-aligned bounding box in the world: what the broad phase sees.',
    fields: [
      ['minX', 'f32', '', 'm'], ['minY', 'f32', '', 'm'], ['minZ', 'f32', '', 'm'], ['pad0', 'f32', 'zero', ''],
      ['maxX', 'f32', '', 'm'], ['maxY', 'f32', '', 'm'], ['maxZ', 'f32', '', 'm'], ['pad1', 'f32', 'zero', ''],
    ],
  },
  {
    name: 'Shape', count: 'per shape', align: 16,
    doc: 'Geometry, shared by any number of colliders. Local frame.',
    fields: [
      ['type', 'u32', 'SHAPE_*', ''], ['flags', 'u32', 'bit 0 alive', ''], ['generation', 'u32', '', ''], ['users', 'u32', 'colliders that use it', ''],
      ['p0', 'f32', 'parameter by type', 'm'], ['p1', 'f32', '', 'm'], ['p2', 'f32', '', 'm'], ['extent', 'f32', 'largest distance of a point from the shape origin', 'm'],
      ['minX', 'f32', 'local bounds', 'm'], ['minY', 'f32', '', 'm'], ['minZ', 'f32', '', 'm'], ['dataPtr', 'u32', 'byte address of the hull, mesh or heightfield blob, 0 if none', ''],
      ['maxX', 'f32', 'local bounds', 'm'], ['maxY', 'f32', '', 'm'], ['maxZ', 'f32', '', 'm'], ['dataBytes', 'u32', '', 'bytes'],
    ],
  },
  {
    name: 'RelPose', count: 'scratch', align: 16,
    doc: 'Pose of shape B in the frame of shape A: p_A = R p_B + t. Columns c0 c1 c2 are the axes of B in the frame of A.',
    fields: [
      ['c0x', 'f32', '', ''], ['c0y', 'f32', '', ''], ['c0z', 'f32', '', ''], ['tx', 'f32', '', 'm'],
      ['c1x', 'f32', '', ''], ['c1y', 'f32', '', ''], ['c1z', 'f32', '', ''], ['ty', 'f32', '', 'm'],
      ['c2x', 'f32', '', ''], ['c2y', 'f32', '', ''], ['c2z', 'f32', '', ''], ['tz', 'f32', '', 'm'],
    ],
  },
  {
    name: 'ManifoldOut', count: 'scratch', align: 16,
    doc: 'What a narrow-phase test returns, in the frame of shape A: the normal from A to B and up to 4 points on the surface of A. Point on B = point + normal * separation.',
    fields: [
      ['count', 'u32', 'points, 0..4', ''], ['gap', 'f32', 'lower bound of the distance when count is 0', 'm'], ['feature', 'u32', 'triangle index for meshes', ''], ['pad0', 'u32', '', ''],
      ['nx', 'f32', 'unit normal', ''], ['ny', 'f32', '', ''], ['nz', 'f32', '', ''], ['pad1', 'f32', '', ''],
      ...[0, 1, 2, 3].flatMap((i) => [[`x${i}`, 'f32', 'point on A', 'm'], [`y${i}`, 'f32', '', 'm'], [`z${i}`, 'f32', '', 'm'], [`s${i}`, 'f32', 'separation, negative inside', 'm']]),
    ],
  },
  {
    name: 'PairHot', count: 'per pair', align: 16,
    doc: 'What the pair walk reads of a pair: nothing is done until the summed motion of its bodies passes the budget.',
    fields: [['bodyA', 'u32', 'body index', ''], ['bodyB', 'u32', 'body index', ''], ['budget', 'f64', 'do nothing while motion[A] + motion[B] is below it', 'm']],
  },
  {
    name: 'PairCold', count: 'per pair', align: 32,
    doc: 'The rest of a pair of colliders whose fat boxes overlap. Shape type of A <= shape type of B.',
    fields: [
      ['colliderA', 'u32', '', ''], ['colliderB', 'u32', '', ''],
      ['manifold', 'u32', 'first manifold, NONE if the shapes are apart', ''], ['cache', 'u32', 'axis cache of the narrow phase', ''],
      ['flags', 'u32', 'bit 0 touching (an event was sent), bit 1 sensor', ''], ['slack', 'f32', 'part of the budget used by predicted motion', 'm'], ['pad0', 'u32', '', ''], ['pad1', 'u32', '', ''],
    ],
  },
  {
    name: 'Manifold', count: 'per manifold', align: 16,
    doc: 'Up to 4 contacts of one shape pair with the impulses carried between steps. Anchors are relative to the centres of mass.',
    fields: [
      ['bodyA', 'u32', 'body index', ''], ['bodyB', 'u32', 'body index', ''], ['pair', 'u32', 'pair index', ''], ['next', 'u32', 'next manifold of the pair, or next free slot', ''],
      ['count', 'u32', 'points, 1..4 (0: slot is free)', ''], ['lane', 'u32', 'lane of the coloured solver (group * 4 + lane) that holds the live impulses and separations, NONE if they are here', ''], ['color', 'u32', '', ''], ['feature', 'u32', 'triangle index for meshes', ''],
      ['nx', 'f32', 'unit normal from A to B, world frame', ''], ['ny', 'f32', '', ''], ['nz', 'f32', '', ''], ['friction', 'f32', 'combined coefficient', ''],
      ['tx', 'f32', 'first unit tangent, world frame; the second is n x t', ''], ['ty', 'f32', '', ''], ['tz', 'f32', '', ''], ['restitution', 'f32', 'combined coefficient', ''],
      ['lnx', 'f32', 'normal in the frame of body A', ''], ['lny', 'f32', '', ''], ['lnz', 'f32', '', ''], ['twistRadius', 'f32', 'lever of the twist row: max(mean distance of the points from their centre, 5 mm)', 'm'],
      ['ltx', 'f32', 'first tangent in the frame of body A', ''], ['lty', 'f32', '', ''], ['ltz', 'f32', '', ''], ['maxDrift', 'f32', 'relative motion that ends recycling', 'm'],
      ['relX', 'f32', 'x_B - x_A in the frame of A at the last full test', 'm'], ['relY', 'f32', '', 'm'], ['relZ', 'f32', '', 'm'], ['pad0', 'f32', '', ''],
      ['relQx', 'f32', 'rotation of B in the frame of A at the last full test', ''], ['relQy', 'f32', '', ''], ['relQz', 'f32', '', ''], ['relQw', 'f32', '', ''],
      ['tangentImpulse1', 'f32', 'friction impulse along the first tangent, per substep', 'N s'], ['tangentImpulse2', 'f32', '', 'N s'], ['twistImpulse', 'f32', '', 'N m s'], ['pad1', 'f32', '', ''],
      ...[0, 1, 2, 3].flatMap((i) => [
        [`lax${i}`, 'f32', `point ${i}: anchor in the frame of body A`, 'm'], [`lay${i}`, 'f32', '', 'm'], [`laz${i}`, 'f32', '', 'm'], [`adjust${i}`, 'f32', 'added to the separation of the anchors', 'm'],
        [`lbx${i}`, 'f32', 'anchor in the frame of body B', 'm'], [`lby${i}`, 'f32', '', 'm'], [`lbz${i}`, 'f32', '', 'm'], [`separation${i}`, 'f32', 'at the start of the step, negative inside', 'm'],
        [`rax${i}`, 'f32', 'anchor A, world axes', 'm'], [`ray${i}`, 'f32', '', 'm'], [`raz${i}`, 'f32', '', 'm'], [`impulse${i}`, 'f32', 'normal impulse, per substep', 'N s'],
        [`rbx${i}`, 'f32', 'anchor B, world axes', 'm'], [`rby${i}`, 'f32', '', 'm'], [`rbz${i}`, 'f32', '', 'm'], [`maxImpulse${i}`, 'f32', 'largest normal impulse of the step', 'N s'],
      ]),
    ],
  },
  {
    name: 'Header', count: 'one', align: 64,
    doc: 'World header at HEADER_PTR: array bases, counts, parameters, results. Written by WASM unless the meaning says host.',
    fields: [
      // arrays indexed by body
      ['bodyRows', 'u32', 'byte address of BodyRow[]', ''], ['bodyDeltas', 'u32', 'BodyDelta[]', ''], ['bodyAccels', 'u32', 'BodyAccel[]', ''], ['bodyInertias', 'u32', 'BodyInertia[]', ''],
      ['bodyCenters', 'u32', 'BodyCenter[]', ''], ['bodyColds', 'u32', 'BodyCold[]', ''], ['positions', 'u32', 'vec4f[]: body origin in the world, w = 1', ''], ['rotations', 'u32', 'vec4f[]: unit quaternion x y z w', ''],
      ['motions', 'u32', 'f64[]: length of path that any point of the body may have moved, ever growing, plus the motion that this step may bring', ''],
      ['bodyCapacity', 'u32', '', ''], ['bodyCount', 'u32', 'slots in use from 0, holes included', ''], ['bodyFree', 'u32', 'head of the free list', ''], ['bodyAlive', 'u32', '', ''],
      ['colliders', 'u32', 'Collider[]', ''], ['aabbs', 'u32', 'Aabb[]', ''], ['colliderCapacity', 'u32', '', ''], ['colliderCount', 'u32', 'slots in use from 0', ''], ['colliderFree', 'u32', '', ''],
      ['shapes', 'u32', 'Shape[]', ''], ['shapeCapacity', 'u32', '', ''], ['shapeCount', 'u32', '', ''], ['shapeFree', 'u32', '', ''],
      ['pairHots', 'u32', 'PairHot[]', ''], ['pairColds', 'u32', 'PairCold[]', ''], ['pairCapacity', 'u32', '', ''], ['pairCount', 'u32', 'dense', ''],
      ['manifolds', 'u32', 'Manifold[]', ''], ['manifoldCapacity', 'u32', '', ''], ['manifoldCount', 'u32', 'slots in use from 0, holes included', ''], ['manifoldFree', 'u32', '', ''], ['manifoldAlive', 'u32', '', ''],
      ['activeManifolds', 'u32', 'u32[]: manifolds the solver takes this step, ascending', ''], ['activeCount', 'u32', '', ''],
      ['events', 'u32', 'u32[4] a contact event: kind (1 begin, 2 end, 3 sensor begin, 4 sensor end), colliderA, colliderB, manifold', ''], ['eventCount', 'u32', '', ''], ['eventCapacity', 'u32', '', ''],
      ['error', 'u32', 'ERROR_* bits of the last call', ''], ['errorSize', 'u32', 'bytes that were asked for', ''],
      ['stepCount', 'u32', 'steps done', ''],
      // parameters (host)
      ['gravityX', 'f32', 'host', 'm/s2'], ['gravityY', 'f32', 'host', 'm/s2'], ['gravityZ', 'f32', 'host', 'm/s2'], ['dt', 'f32', 'host: step', 's'],
      ['solver', 'u32', 'host: SOLVER_*', ''], ['substeps', 'u32', 'host', ''], ['sweeps', 'u32', 'host: sweeps of each soft and relax pass', ''], ['granularity', 'u32', 'host: most links in a cell', ''],
      ['contactHertzRatio', 'f32', 'host: contact frequency / substep rate', ''], ['dampingRatio', 'f32', 'host: zeta of soft contacts', ''], ['pushSpeed', 'f32', 'host: largest speed of pushing out', 'm/s'], ['frictionModel', 'u32', 'host: 0 per manifold (circle and twist), 1 pyramid per point', ''],
      ['speculativeMargin', 'f32', 'host', 'm'], ['recycleDistance', 'f32', 'host', 'm'], ['restitutionThreshold', 'f32', 'host: slower contacts do not bounce', 'm/s'], ['cellBodyCap', 'u32', 'host: most dynamic bodies in a cell', ''],
      ['warmStart', 'f32', 'host: factor on carried impulses', ''], ['linearSlop', 'f32', 'host: slop inside the soft bias, 0 by default', 'm'], ['maxLinearSpeed', 'f32', 'host', 'm/s'], ['seed', 'u32', 'host: seed of permutations', ''],
      // reports
      ['contactCount', 'u32', 'points of active manifolds', ''], ['blockCount', 'u32', 'contact blocks (body pairs)', ''], ['colorCount', 'u32', '', ''], ['cellCount', 'u32', '', ''], ['batchCount', 'u32', '', ''], ['slotCount', 'u32', 'sub-bodies', ''], ['splitBodyCount', 'u32', 'bodies in more than one cell', ''], ['fullTests', 'u32', 'narrow-phase tests of the last step', ''], ['pairVisits', 'u32', 'pairs the walk stopped at', ''], ['movedColliders', 'u32', 'colliders that left their fat box', ''],
      ['memoryUsed', 'u32', 'bytes handed out', ''], ['arenaCursor', 'u32', 'next fresh byte', ''],
      // owned by single modules: fixed blocks of words that module lays out itself
      ['freeLists', 'u32', 'byte address of the allocator’s free lists', ''], ['broadphase', 'u32', 'byte address of the broad phase’s own header', ''], ['coloredState', 'u32', 'byte address of the coloured solver’s own header', ''], ['splitState', 'u32', 'byte address of the splitting solver’s own header', ''], ['narrowState', 'u32', 'byte address of the narrow phase’s scratch', ''], ['orderState', 'u32', 'byte address of the ordering’s own header', ''], ['contactState', 'u32', 'byte address of the contacts stage’s own header', ''], ['queryState', 'u32', 'byte address of the query scratch', ''],
    ],
  },
  {
    name: 'HullBlob', count: 'per hull', align: 16,
    doc: 'Header of a cooked convex hull (src/shapes/hull.ts); the arrays follow in the same blob, 16-byte aligned. All fields named *Offset are bytes from the start of the blob. Shape frame.',
    fields: [
      ['vertexCount', 'u32', '4..128 (8 for a box)', ''], ['faceCount', 'u32', '4..255', ''], ['edgeCount', 'u32', 'vertexCount + faceCount - 2', ''], ['blobBytes', 'u32', 'length of the blob', 'bytes'],
      ['vertexGroups', 'u32', 'lane groups of vertices: ceil(vertexCount / 4)', ''], ['faceGroups', 'u32', 'lane groups of planes: ceil(faceCount / 4)', ''], ['maxFaceVertices', 'u32', 'vertices of the largest face', ''], ['innerRadius', 'f32', 'radius of a sphere around the centroid inside the hull', 'm'],
      ['centroidX', 'f32', 'centroid of the volume', 'm'], ['centroidY', 'f32', '', 'm'], ['centroidZ', 'f32', '', 'm'], ['outerRadius', 'f32', 'largest distance of a vertex from the centroid', 'm'],
      ['minX', 'f32', 'bounds', 'm'], ['minY', 'f32', '', 'm'], ['minZ', 'f32', '', 'm'], ['minExtent', 'f32', 'least width over the face normals: the scale of tolerances', 'm'],
      ['maxX', 'f32', 'bounds', 'm'], ['maxY', 'f32', '', 'm'], ['maxZ', 'f32', '', 'm'], ['pad0', 'f32', 'zero', ''],
      ['verticesOffset', 'u32', 'vec4f[vertexCount]: x y z 0', ''], ['verticesWOffset', 'u32', 'lane groups x4 y4 z4 (48 bytes each); the last repeats the last vertex', ''], ['planesOffset', 'u32', 'vec4f[faceCount]: outward unit normal, offset d (n . p = d)', ''], ['planesWOffset', 'u32', 'lane groups nx4 ny4 nz4 d4 (64 bytes each); the last repeats the last plane', ''],
      ['loopStartsOffset', 'u32', 'u16[faceCount + 1]: first entry of each face in loops', ''], ['loopsOffset', 'u32', 'u8[]: vertices of each face, counterclockwise from outside', ''], ['edgesOffset', 'u32', 'u8[4][edgeCount]: vertex a, vertex b, face left of a -> b seen from outside, face right of it', ''], ['edgeCosinesOffset', 'u32', 'f32[edgeCount]: dot product of the normals of the two faces', ''],
    ],
  },
  {
    name: 'NarrowState', count: 'one', align: 64,
    doc: 'Sub-pointers of the narrow phase at Header.narrowState: scratch blocks, one a family of tests (assembly/narrowphase/state.ts).',
    fields: [
      ['roundScratch', 'u32', 'RoundScratch: GJK, EPA, round shapes', ''], ['hullScratch', 'u32', 'clipping and polyhedra', ''], ['meshScratch', 'u32', 'triangle meshes and heightfields', ''], ['pad0', 'u32', '', ''],
    ],
  },
];
