// Questions of the host: measures, rays, queries.

export const queries = [
  {
    name: 'MeasureResult', count: 'one', align: 64,
    doc: 'What measure() finds (assembly/queries/measure.ts), at Header.measureState.',
    fields: [
      ['kineticEnergy', 'f64', 'of all dynamic bodies', 'J'],
      ['rmsSpeed', 'f32', 'root mean square of the speeds of dynamic bodies', 'm/s'],
      ['maxSpeed', 'f32', '', 'm/s'],
      ['rmsSpin', 'f32', 'root mean square of their angular speeds', 'rad/s'], ['maxSpin', 'f32', '', 'rad/s'],
      ['penetrationMean', 'f32', 'over touching contacts: overlap, 0 if apart', 'm'],
      ['penetrationP99', 'f32', '99th percentile', 'm'],
      ['penetrationMax', 'f32', '', 'm'],
      [
        'residualRms', 'f32',
        'root mean square of min(K z, v_n + max(s, 0) / h) over contacts: 0 if every contact is complementary',
        'm/s',
      ],
      ['residualMax', 'f32', '', 'm/s'],
      ['dynamicCount', 'u32', 'dynamic bodies'],
      ['manifoldCount', 'u32', 'manifolds'],
      ['contactCount', 'u32', 'contacts, speculative ones too'],
      ['touchingCount', 'u32', 'contacts that overlap or carry an impulse'],
    ],
  },
  {
    name: 'Ray', count: 'per query', align: 16,
    doc:
      'A ray in the frame of what it is cast against: points origin + t * direction, 0 <= t <= maxT. The direction may have ' +
      'any length but zero.',
    fields: [
      ['', 'vec3', 'origin', 'm'], ['maxT', 'f32', 'in lengths of the direction'],
      ['d', 'vec3', 'direction', 'm'], ['pad0', 'f32'],
    ],
  },
  {
    name: 'RayHit', count: 'per query', align: 16,
    doc: 'Where a ray first meets a shape, in the frame of the ray. Written only for a hit.',
    fields: [
      ['n', 'vec3', 'outward unit normal; against the ray if it starts inside'], ['t', 'f32', 'in lengths of the direction'],
    ],
  },
  {
    name: 'QueryState', count: 'one', align: 64,
    doc:
      'Queries against the world (assembly/queries/state.ts), at Header.queryState: the question that the host writes, where ' +
      'the answers lie, scratch.',
    fields: [
      ['o', 'vec3', 'start of a ray or of what is cast, place of a shape or point, world', 'm'],
      ['reach', 'f32', 'length of the cast, or how far apart what is asked for may be', 'm'],
      ['d', 'vec3', 'unit direction of the cast, or zero'], ['count', 'u32', 'entries of the batch'],
      ['q', 'f32 x y z w', 'rotation of the shape'],
      ['shape', 'u32', 'shape that asks, NONE: a point'],
      ['mask', 'u32', 'categories that are asked for'],
      ['category', 'u32', 'category of what asks, if QUERY_BY_CATEGORY'],
      ['flags', 'u32', 'QUERY_*'],
      ['excludeBody', 'u32', 'NONE: no one'], ['excludeCollider', 'u32', 'NONE: no one'], ['hits', 'array', 'QueryHit[]'],
      ['hitCount', 'u32'],
      ['best', 'f32', 'what is farther is not asked for any more', 'm'],
      ['slackStep', 'u32', 'stepCount + 1 for which slack holds'],
      ['slack', 'f32', 'farthest that a body may have left its fat box in that step', 'm'],
      ['b', 'vec3', 'place of the second of two shapes', 'm'], ['shapeB', 'u32'],
      ['bq', 'f32 x y z w', 'its rotation'],
      ['batch', 'u32', 'room for QUERY_BATCH entries: f32[3] starts, f32[3] directions, f32[4] rotations; then QueryHit[]'],
      ['kind', 'u32', 'QUERY_* of the query at hand'],
      ['mode', 'u32'],
      ['typeB', 'u32', 'shape type of the collider at hand'],
      ['collider', 'u32', 'the collider at hand'],
      ['shapeA', 'u32', 'Shape row that asks'],
      ['blob', 'u32', 'shape data of the collider at hand'],
      ['cache', 'u32', 'axis cache'],
      ['found', 'f32', 'nearest triangle of the surface at hand', 'm'],
      ['foundFeature', 'u32'],
      ['foundDepth', 'f32', '', 'm'],
      ['full', 'u32', '1: there was no memory for all answers'],
      ['a', 'vec4f 0 1 2', 'columns of the rotation of what asks'],
      ['b', 'vec4f 0 1 2', 'columns of the rotation of the collider at hand'],
      ['rel', 'vec4f 0 1 2', 'RelPose of the collider in the frame of what asks'],
      ['ray', 'vec4f 0 1', 'Ray in the frame of the collider'], ['rayHit', 'vec4f', 'its RayHit'],
      ['originB', 'vec4f', 'origin of the collider at hand, world', 'm'],
      ['way', 'vec4f', 'direction in which the collider moves, seen from what asks'],
      ['center', 'vec4f', 'center of the bounds of what asks, world', 'm'], ['half', 'vec4f', 'half of its bounds', 'm'],
      ['centerB', 'vec4f', 'the same in the frame of the collider', 'm'],
      ['halfB', 'vec4f', '', 'm'],
      ['wayB', 'vec4f', 'direction of the cast in that frame'],
      ['foundNormal', 'vec4f', 'of the nearest triangle so far: normal from A, point on A'], ['foundPoint', 'vec4f', '', 'm'],
      ['t', 'vec4f 0 1 2', 'triangle at hand', 'm'],
      ['placed', 'u32', 'the collider that originB and b0 to b2 are those of, NONE: none'],
      ['turned', 'u32', '1: entries of the batch have rotations'],
      ['met', 'u32', 'entries of the batch that hit'],
      ['others', 'u32', 'the same block for each thread beside the first, 0: none'],
      ['point', 'vec4f 0 1 2 3', 'Shape row of a point: a sphere without radius'],
    ],
  },
  {
    name: 'BatchVector', count: 'per entry of a batch', align: 4, core: true,
    doc: 'A start or a direction at QueryState.batch.',
    fields: [['', 'f32 x y z', '', 'm']],
  },
  {
    name: 'QueryHit', count: 'per answer', align: 16,
    doc: 'One answer to a query, world frame.',
    fields: [
      ['collider', 'u32'],
      ['feature', 'u32', 'triangle of a mesh (of the caller) or heightfield, face of a hull or box, else 0'],
      ['distance', 'f32', 'along a cast; between the surfaces, negative inside', 'm'],
      ['penetration', 'f32', 'of a shape at the start of a cast', 'm'],
      ['n', 'vec3', 'unit normal of the surface of the collider'], ['pad0', 'f32', 'zero'],
      ['', 'vec3', 'point on the surface of the collider', 'm'], ['pad1', 'f32', 'zero'],
    ],
  },
  {
    name: 'QueryBlock', count: 'per thread', align: 64, core: true,
    doc: 'The QueryState of a thread with its scratch, which no step reads.',
    fields: [],
    rest: [
      ['QUERY_STATE', 'QueryState', 1, 'the question'],
      ['WORLD_STACK', 'u32', 256, 'nodes of the trees of colliders that are still to visit'],
      ['MESH_STACK', 'u32', 1024, 'the same of the tree of a mesh'],
      ['WORLD_WALK', 'BoxWalk', 1, 'the walk over a tree of colliders'],
      ['MESH_WALK', 'BoxWalk', 1, 'that over the tree of a mesh within it'],
      ['QUERY_CHILDREN', 'u32', 4, 'the four children of a node of a tree of colliders'],
      ['QUERY_OUTPUTS', 'ManifoldOut', 'MAX_MESH_MANIFOLDS', 'of a test'],
      ['COLLIDER_BOUNDS', 'Aabb', 5, 'bounds of a collider, with their scratch'],
    ],
  },
  {
    name: 'PoseMatrix', count: 'per pose', align: 64, core: true,
    doc: 'Pose of a body as renderers take it, by columns.',
    fields: [
      ['axisX', 'vec4f', 'images of x, y, z, scaled; 0'], ['axisY', 'vec4f'], ['axisZ', 'vec4f'],
      ['place', 'vec4f', 'origin of the body, 1', 'm'],
    ],
  },
  {
    name: 'LiveRange', count: 'per range', align: 8, core: true,
    doc: 'Bytes from one address to another (assembly/queries/live.ts).',
    fields: [
      ['from', 'u32'], ['end', 'u32'],
    ],
  },
  {
    name: 'Hole', count: 'per free block', align: 8, core: true,
    doc: 'Start of memory that is free (assembly/memory/allocator.ts).',
    fields: [
      ['bytes', 'u32', 'its length'], ['next', 'u32', 'the next one, 0: none'],
    ],
  },
  {
    name: 'ArrayField', count: 'per array that grows', align: 4, core: true,
    doc: 'A field of the type `array`, in whatever struct.',
    fields: [
      ['at', 'u32', 'its address'], ['capacity', 'u32', 'elements that it has room for'],
    ],
  },
  {
    name: 'LineSum', count: 'one', align: 128, core: true,
    doc: 'Sum of cache lines (assembly/queries/live.ts): of the words in their places, and of these sums.',
    fields: [
      ['a', 'vec4u 0 1 2 3'], ['b', 'vec4u 0 1 2 3'],
    ],
  },
  {
    name: 'Histogram', count: 'scratch', align: 16, core: true,
    doc: 'Of measure(); the depths of contacts lie behind it.',
    fields: [],
    rest: [
      ['HISTOGRAM_COUNTS', 'u32', 256, 'numbers by their next byte'],
    ],
  },
];
