// Tests of two shapes: what they are asked, what they answer, their scratch.

export const narrowphase = [
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
  {
    name: 'ContactPoint', count: 'scratch', align: 16, core: true,
    doc: 'A candidate of a contact, as tests list them: a point on A and how far B is along the normal there.',
    fields: [
      ['', 'vec3', '', 'm'], ['separation', 'f32', 'negative inside', 'm'],
    ],
  },
  {
    name: 'NarrowState', count: 'one', align: 64,
    doc:
      'Sub-pointers of the narrow phase at Header.narrowState: scratch blocks, one a family of tests ' +
      '(assembly/narrowphase/state.ts).',
    fields: [
      ['roundScratch', 'u32', 'RoundScratch: GJK, EPA, round shapes'],
      ['hullScratch', 'u32', 'clipping and polyhedra'],
      ['meshScratch', 'u32', 'triangle meshes and heightfields'],
      ['rounds', 'u32', 'rounds of conservative advancement since the world was made, modulo 2^32'],
    ],
  },
  {
    name: 'SupportRow', count: 'scratch', align: 32, core: true,
    doc: 'Core of a shape (assembly/narrowphase/support.ts).',
    fields: [
      ['type', 'u32'], ['margin', 'f32'], ['data', 'u32'], ['pad0', 'u32'], ['p', 'f32 0 1 2 3'],
    ],
  },
  {
    name: 'GjkState', count: 'scratch', align: 16, core: true,
    doc: 'Scratch of GJK and EPA (assembly/narrowphase/gjk.ts). Vectors are x y z _ in the frame of A.',
    fields: [
      // pairs of SupportRows, A then B: cores that gjk sees, and the true shapes
      ['coreA', 'vec4f 0 1'], ['coreB', 'vec4f 0 1'], ['solidA', 'vec4f 0 1'],
      ['solidB', 'vec4f 0 1'],
      // pose of B in the frame of A: columns, translation, rows
      ['c', 'vec4f 0 1 2'], ['t', 'vec4f'], ['r', 'vec4f 0 1 2'],
      // simplex: points of A - B and their points of A
      ['w', 'vec4f 0 1 2 3'], ['a', 'vec4f 0 1 2 3'], ['v', 'vec4f'], ['witness', 'vec4f'],
      ['count', 'u32'], ['mask', 'u32'], ['distance', 'f32'], ['scale2', 'f32'],
    ],
  },
  {
    name: 'SurfaceSweep', count: 'scratch', align: 16, core: true,
    doc: 'What the walk over triangles keeps; lies behind the GjkState of the Motion.',
    fields: [
      ['v', 'vec4f 0 1 2', 'the triangle at hand, frame of B'],
      ['low', 'vec4f', 'box of the slice, frame of B'], ['high', 'vec4f'],
      ['axis', 'vec4f', 'axis and arm of the first meeting'], ['arm', 'vec4f'],
      ['from', 'f32', 'the slice'], ['best', 'f32', 'first meeting so far'],
      ['slow', 'f32', 'closing speed below which a meeting does not count'],
      ['to', 'f32', 'end of the slice'], ['touched', 'u32', 'some triangle was met at time 0'],
      ['looks', 'u32', '1: triangles are only noticed, in `touched`'], ['pad', 'f32 0 1'],
    ],
  },
  {
    name: 'Motion', count: 'scratch', align: 16, core: true,
    doc:
      'Two shapes in motion (assembly/narrowphase/advance.ts). World directions; positions are relative, so distance from ' +
      'the origin costs nothing.',
    fields: [
      ['qa', 'vec4f', 'rotations of the shapes at time 0'], ['qb', 'vec4f'],
      ['oa', 'vec4f', 'from the centers that they turn about to the origins of the shapes, at time 0'],
      ['ob', 'vec4f'], ['d', 'vec4f', 'center of B less center of A, at time 0'],
      ['dv', 'vec4f', "velocity of B's center less that of A's"],
      ['wa', 'vec4f', 'angular velocities'], ['wb', 'vec4f'],
      ['n', 'vec4f', 'axis from A to B: first guess, then that of the last distance'],
      ['arm', 'vec4f', 'where A is met, relative to the center that it turns about (markMeeting)'],
      ['ca', 'vec4f', 'oa and ob at the time of setPose'], ['cb', 'vec4f'],
      ['rel', 'vec4f', 'RelPose at the time of setPose: three rows of 16 bytes'],
      ['rel', 'vec4f 1 2'], ['a', 'vec4f 0 1 2', "columns of A's rotation at that time"],
      ['b', 'vec4f 0 1 2'],
      ['reachA', 'f32', 'farthest point of a shape from the center that it turns about'],
      ['reachB', 'f32'], ['target', 'f32', 'distance at which they meet', 'm'],
      ['skin', 'f32', 'most that the cores of A and B are shrunk by, together'],
      ['strict', 'u32', '1: cores nearer than the target at the start meet where half of that distance is left'],
      ['at', 'f32', 'time of the pose, NaN if there is none'], ['pad', 'u32 0 1'],
    ],
    rest: [
      ['MOTION_GJK', 'GjkState', 1, 'cores and pose of the two shapes'],
      ['MOTION_SWEEP', 'SurfaceSweep', 1, 'of a surface'],
    ],
  },
  {
    name: 'BoxWalk', count: 'scratch', align: 16, core: true,
    doc:
      'A walk over boxes (assembly/narrowphase/boxes.ts): what asks, components splatted, and the boxes that it has still ' +
      'to visit.',
    fields: [
      // Along a line the start less, and plus, half of the sides along the way; else the point, and half of the sides.
      ['s', 'vec4f x y z'], ['e', 'vec4f x y z'], ['i', 'vec4f x y z', '1 / direction'],
      ['l', 'vec4f x y z', 'the same, widened'],
      ['keys', 'vec4f 0 1', 'of the boxes tested last, up to eight'],
      [
        'n', 'u32 x y z',
        'where in a node the planes lie that come first, byte offset; the others are that much before or behind 48',
      ],
      ['stack', 'u32', 'entries of boxes to visit'], ['top', 'u32', 'their end'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
  {
    name: 'WalkEntry', count: 'per box to visit', align: 8, core: true,
    doc: 'An entry of the stack of a BoxWalk, as a number in the order of the keys.',
    fields: [
      ['child', 'u32'], ['key', 'f32', 'where the moving box enters it, or the squared distance; never negative'],
    ],
  },
  {
    name: 'Cluster', count: 'scratch', align: 16, core: true,
    doc: 'Candidates whose normals nearly agree and that lie near one plane (assembly/narrowphase/cluster.ts).',
    fields: [
      ['seed', 'vec4f', 'normal of the first triangle, from A to B'],
      ['best', 'vec4f', 'normal of the deepest point'],
      ['height', 'f32', 'seed . (point on B) of the first point'], ['deepest', 'f32'],
      ['count', 'u32'], ['triangle', 'u32', 'of the deepest point'],
      ['side', 'f32', 'on which A was of it'], ['pad', 'f32 0 1 2'],
    ],
    rest: [
      ['CLUSTER_ROWS', 'vec4f', 'CLUSTER_POINTS', 'candidates (ContactPoint)'],
    ],
  },
  {
    name: 'ShearedRay', count: 'scratch', align: 16, core: true,
    doc:
      'A ray in its own axes, of which z is the largest component of its direction.',
    fields: [
      ['origin', 'vec4f'], ['s', 'vec3'], ['k', 'u32 x y z', 'byte offsets of the components'],
      ['best', 'f32', 'nearest t so far'], ['triangle', 'u32'],
      ['front', 'u32', '1: backs are passed through'], ['pad0', 'u32', 'zero'],
      ['inverse', 'f32 X Z', 'of a heightfield: 1 / direction'], ['hair', 'f32 X Z', 'by which its cells are widened', 'm'],
      ['pad', 'u32 1 2', 'zero'],
    ],
    rest: [
      ['SHEARED_ROWS', 'vec4f', 4, 'the triangle at hand'],
      ['SHEARED_WALK', 'BoxWalk', 1, 'the walk over the mesh'],
    ],
  },
  {
    name: 'Surface', count: 'scratch', align: 16, core: true,
    doc:
      'A test against a mesh or heightfield (assembly/narrowphase/surface.ts). Vectors are x y z _ in the frame of A unless ' +
      'said.',
    fields: [
      // the triangle at hand
      ['v', 'vec4f 0 1 2', 'vertices; the three rows also serve as a polygon'],
      ['n', 'vec4f', 'unit normal of the front'], ['d', 'vec4f 0 1 2', 'unit edge directions'],
      ['u', 'vec4f 0 1 2', 'unit directions in the plane, from edge k into the triangle'],
      ['nn', 'vec4f 0 1 2', "normals of the neighbors; the triangle's own where the edge is flat or a boundary"],
      ['edges', 'u32', 'EDGE_* of edge k in bits 2k, 2k+1'],
      ['triangle', 'u32', 'index in the blob'],
      ['sideSign', 'f32', '+1: A is on the front, -1: on the back'],
      ['framed', 'u32', '1 once d and u are made'],
      ['recalled', 'u32', '1 if the side is the remembered one though the center is on the other'],
      ['pad', 'u32 0 1 2', 'zero'],
      // the pair
      ['center', 'vec4f', 'center of the bounds of A'],
      ['centerB', 'vec4f', 'the same point in the frame of B'],
      ['halfB', 'vec4f', "half extents of A's bounds in the frame of B"],
      ['shape', 'usize', 'Shape row of A'], ['rel', 'usize', 'RelPose'],
      ['blob', 'usize', 'mesh or heightfield blob'],
      ['hull', 'usize', 'polyhedron of A, 0 if A is round'], ['typeA', 'u32'], ['typeB', 'u32'],
      ['margin', 'f32'], ['inner', 'f32', 'radius of a ball inside A'],
      ['extent', 'f32', 'largest half extent of A'],
      ['planeTolerance', 'f32', 'heights within this share a cluster'],
      // memory of the last call, from the pair's cache
      ['knownSide', 'f32', '+1 or -1: side of the remembered triangle that A was on; 0: none'],
      ['known', 'u32', 'the remembered triangle'], ['knownNormal', 'vec4f'],
      ['knownPoint', 'vec4f'],
      // result
      ['bound', 'f32', 'least distance to a triangle that gave no contact'],
      ['clusterCount', 'u32'], ['pad', 'u32 3 4', 'zero'],
      // feature of A along featureDirection
      ['featureDirection', 'vec4f'],
      ['featurePlane', 'vec4f', 'nx ny nz d of the feature if it has at least 3 vertices'],
      ['featureCount', 'u32'], ['featureRadius', 'f32'], ['pad', 'u32 5 6', 'zero'],
    ],
    rest: [
      ['SURFACE_FEATURE', 'vec4f', 260, 'polygon of the feature of A, kept between triangles'],
      ['SURFACE_CLIP', 'vec4f', 260, 'polygon that is clipped'],
      ['SURFACE_WORK', 'vec4f', 260, 'second buffer of clipping, and scratch of plane dots'],
      ['SURFACE_STACK', 'u32', 256, 'of a tree traversal'],
      ['SURFACE_CLUSTERS', 'Cluster', 'MAX_MESH_MANIFOLDS', 'candidates of contacts'],
    ],
  },
  {
    name: 'SurfaceWork', count: 'scratch', align: 16, core: true,
    doc:
      'What steps of a test of a shape against the triangle at hand leave for each other, at SURFACE_WORK; clipping takes the ' +
      'same bytes (assembly/narrowphase/closest.ts, triangle.ts).',
    fields: [
      ['point', 'vec4f', 'on the core line of a capsule'],
      ['found', 'vec4f', 'point on the triangle that is nearest to it; or the direction that an edge or a vertex allows'],
      ['region', 'u32', 'REGION_* in which that point lies'],
      ['index', 'u32', 'the edge or vertex of the triangle'],
      ['face', 'u32', 'the face of A that separates best'], ['pad0', 'u32'],
      ['beside', 'u32 0 1', 'the edges beside the feature of the triangle that supports'], ['pad1', 'u64'],
    ],
    rest: [
      ['PLANE_DOTS', 'f32', 256, 'of the normals of the faces of A and an edge'],
    ],
  },
  {
    name: 'BoxBlob', count: 'two', align: 64, core: true,
    doc: 'A box as a HullBlob (assembly/narrowphase/polyhedron.ts).',
    fields: [],
    rest: [
      ['BOX_HULL', 'HullBlob', 1, 'its head'],
      ['BOX_VERTICES', 'vec4f', 8, 'vertices'],
      ['BOX_VERTICES_W', 'vec4f', 6, 'the same by lane groups'],
      ['BOX_PLANES', 'vec4f', 6, 'planes of faces'],
      ['BOX_PLANES_W', 'vec4f', 8, 'the same by lane groups'],
      ['BOX_LOOP_STARTS', 'u16', 8, 'first vertex of each loop'],
      ['BOX_LOOPS', 'u8', 32, 'loops of faces'],
      ['BOX_EDGES', 'u8', 48, 'edges: vertices a and b, faces on both sides'],
      ['BOX_EDGE_COSINES', 'f32', 12, 'of edges'],
    ],
  },
  {
    name: 'HullTables', count: 'per shape of a pair', align: 16, core: true,
    doc: 'What a test of two polyhedra (assembly/narrowphase/hull_hull.ts) knows of one of them.',
    fields: [
      ['blob', 'u32', 'its HullBlob'], ['pose', 'u32', 'its RelPose in the frame of the other one'],
      ['face', 'u32', 'the one that separates best'], ['best', 'f32', 'separation of the other one from it', 'm'],
      ['edges', 'u32', 'entries of EDGE_LIST'], ['pad', 'u32 0 1 2'],
    ],
    rest: [
      ['FACE_HEIGHTS', 'f32', 256, 'height of the centroid of the other one over each face'],
      ['EDGE_LIST', 'u16', 512, 'edges that may matter'],
      ['POINT_HEIGHTS', 'f32', 256, 'height of a point of the other one over each face'],
    ],
  },
  {
    name: 'EdgeGroup', count: 'per four edges of a polyhedron', align: 16, core: true,
    doc: 'Four edges of B in the frame of A, one a lane.',
    fields: [
      ['n0', 'columns X Y Z', 'normal of a face'],
      ['n1', 'columns X Y Z', 'normal of the other one, negated'],
      ['vector', 'columns X Y Z', 'from the first end to the second', 'm'],
      ['point', 'columns X Y Z', 'the first end', 'm'],
    ],
  },
  {
    name: 'HullPair', count: 'scratch', align: 16, core: true,
    doc: 'A test of two polyhedra (assembly/narrowphase/hull_hull.ts).',
    fields: [
      ['kind', 'u32', 'axis of the last test'],
      ['first', 'u32', 'its face, or its edge of A'], ['second', 'u32', 'its edge of B'],
      ['kept', 'f32', 'separation along it now, -infinity: there is none', 'm'],
      ['guess', 'u32', 'face of A whose farthest vertex of B is known'],
      ['edgeA', 'u32', 'the best pair of edges'], ['edgeB', 'u32'],
      ['bestEdge', 'f32', 'its separation, -infinity: none is better than the faces', 'm'],
      ['keptEdge', 'f32', 'that of the pair of the last test if it still is an axis, else -infinity', 'm'],
      ['face', 'f32', 'largest separation along a normal of a face', 'm'],
      ['bias', 'f32', 'by which another axis has to be better', 'm'], ['margin', 'f32', '', 'm'],
      ['axis', 'vec4f', 'first guess of the best axis, away from A; frame of A'],
      ['witnessA', 'vec4f', 'vertex of A farthest along it, frame of A'],
      ['witnessB', 'vec4f', 'of B against it, frame of B'],
    ],
    rest: [
      ['TABLES_A', 'HullTables', 1, 'of A'],
      ['TABLES_B', 'HullTables', 1, 'of B'],
      ['INVERSE_POSE', 'RelPose', 1, 'A in the frame of B'],
      ['CORNER_CACHE', 'u32', 4, 'axis cache of the one GJK call'],
      ['EDGE_GROUPS', 'EdgeGroup', 224, 'of the edges of B that may matter'],
    ],
  },
  {
    name: 'PolyhedronScratch', count: 'per thread', align: 64, core: true,
    doc: 'At NarrowState.hullScratch.',
    fields: [],
    rest: [
      ['BOX_BLOBS', 'BoxBlob', 2, 'boxes at hand'],
      ['POLYGON_A', 'vec4f', 256, 'a polygon; from here on all is free between calls'],
      ['POLYGON_B', 'vec4f', 256, 'a second one'], ['POLYGON_WORK', 'vec4f', 256, 'what clipping needs beside them'],
      ['HULL_PAIR', 'HullPair', 1, 'a test of two polyhedra'],
    ],
  },
  {
    name: 'EpaFace', count: 'scratch', align: 16, core: true,
    doc: 'A face of the polytope of EPA.',
    fields: [
      ['n', 'vec3', 'outward unit normal'],
      ['distance', 'f32', 'of its plane from the origin', 'm'],
      ['corners', 'vec4u: vertex0 vertex1 vertex2 pad0', 'three vertices, 0'],
    ],
  },
  {
    name: 'RoundScratch', count: 'per thread', align: 64, core: true,
    doc: 'At NarrowState.roundScratch: GJK, EPA, features of round shapes (assembly/narrowphase/features.ts).',
    fields: [],
    rest: [
      ['ROUND_GJK', 'GjkState', 1, 'first: addresses of the others count from it'],
      ['EPA_VERTICES', 'vec4f', 'EPA_MAX_VERTICES', 'x y z 0'],
      ['EPA_FACES', 'EpaFace', 'EPA_MAX_FACES', 'of the polytope'],
      ['EPA_EDGES', 'u32', 'EPA_MAX_EDGES', 'of the hole that a new vertex makes'],
      ['FEATURE_A', 'vec4f', 256, 'polygon of A'],
      ['FEATURE_B', 'vec4f', 256, 'of B'],
      ['FEATURE_WORK', 'vec4f', 256, 'second buffer of clipping'],
      ['FEATURE_NORMALS', 'vec4f', 2, 'of faces of A and B; lane 3 is 1 for a level cap: CAP_POINTS points and no lowest one'],
    ],
  },
  {
    name: 'MeshRay', count: 'scratch', align: 16, core: true,
    doc: 'A ray against a mesh (assembly/narrowphase/ray_mesh.ts), where else clusters lie.',
    fields: [],
    rest: [
      ['RAY_STACK', 'u32', 2048, 'boxes to visit'],
      ['SHEARED_RAY', 'ShearedRay', 1, 'the ray'],
    ],
  },
];
