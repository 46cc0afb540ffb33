// Shapes, and the blobs of hulls, triangle meshes and heightfields.

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
    name: 'HullBlob', count: 'per hull', align: 16,
    doc:
      'Header of a cooked convex hull (src/shapes/hull.ts); the arrays follow in the same blob, 16-byte aligned. All fields ' +
      'named *Offset are bytes from the start of the blob. Shape frame.',
    fields: [
      ['vertexCount', 'u32', '4..128 (8 for a box)'],
      ['faceCount', 'u32', '4..255'],
      ['edgeCount', 'u32', 'vertexCount + faceCount - 2'],
      ['blobBytes', 'u32', 'length of the blob', 'bytes'],
      ['vertexGroups', 'u32', 'lane groups of vertices: ceil(vertexCount / 4)'],
      ['faceGroups', 'u32', 'lane groups of planes: ceil(faceCount / 4)'],
      ['maxFaceVertices', 'u32', 'vertices of the largest face'],
      ['innerRadius', 'f32', 'radius of a sphere around the centroid inside the hull', 'm'],
      ['centroid', 'f32 X Y Z', 'centroid of the volume', 'm'],
      ['outerRadius', 'f32', 'largest distance of a vertex from the centroid', 'm'],
      ['min', 'f32 X Y Z', 'bounds', 'm'],
      ['minExtent', 'f32', 'least width over the face normals: the scale of tolerances', 'm'],
      ['max', 'f32 X Y Z', 'bounds', 'm'], ['pad0', 'f32', 'zero'],
      ['verticesOffset', 'u32', 'vec4f[vertexCount]: x y z 0'],
      ['verticesWOffset', 'u32', 'lane groups x4 y4 z4 (48 bytes each); the last repeats the last vertex'],
      ['planesOffset', 'u32', 'vec4f[faceCount]: outward unit normal, offset d (n . p = d)'],
      ['planesWOffset', 'u32', 'lane groups nx4 ny4 nz4 d4 (64 bytes each); the last repeats the last plane'],
      ['loopStartsOffset', 'u32', 'u16[faceCount + 1]: first entry of each face in loops'],
      ['loopsOffset', 'u32', 'u8[]: vertices of each face, counterclockwise from outside'],
      ['edgesOffset', 'u32', 'u8[4][edgeCount]: vertex a, vertex b, face left of a -> b seen from outside, face right of it'],
      ['edgeCosinesOffset', 'u32', 'f32[edgeCount]: dot product of the normals of the two faces'],
    ],
  },
  {
    name: 'HullEdge', count: 'per edge of a hull', align: 4, core: true,
    doc: 'At HullBlob.edgesOffset.',
    fields: [
      ['a', 'u8', 'vertices'], ['b', 'u8'], ['left', 'u8', 'face left of a -> b seen from outside'],
      ['right', 'u8', 'face right of it'],
    ],
  },
  {
    name: 'Plane', count: 'per plane', align: 16, core: true,
    doc: 'Points p with n . p = d.',
    fields: [
      ['n', 'vec3', 'unit normal'], ['d', 'f32', '', 'm'],
    ],
  },
  {
    name: 'MeshBlob', count: 'per mesh', align: 16,
    doc:
      'Header of a cooked triangle mesh (src/shapes/mesh.ts); the arrays follow in the same blob, 16-byte aligned. All fields ' +
      'named *Offset are bytes from the start of the blob. Shape frame.',
    fields: [
      ['vertexCount', 'u32'],
      ['triangleCount', 'u32'],
      ['nodeCount', 'u32', 'at least 1, node 0 is the root'],
      ['blobBytes', 'u32', 'length of the blob', 'bytes'],
      ['verticesOffset', 'u32', 'vec4f[vertexCount]: x y z 0'],
      ['trianglesOffset', 'u32', 'MeshTriangle[triangleCount] in the order of the tree’s leaves'],
      ['nodesOffset', 'u32', 'MeshNode[nodeCount]'],
      ['depth', 'u32', 'levels of the tree'],
      ['min', 'f32 X Y Z', 'bounds', 'm'], ['wideOffset', 'u32', 'MeshWideNode[wideCount]'],
      ['max', 'f32 X Y Z', 'bounds', 'm'], ['wideCount', 'u32', 'at least 1, node 0 is the root'],
    ],
  },
  {
    name: 'MeshTriangle', count: 'per triangle of a mesh', align: 16,
    doc: 'A triangle: counterclockwise seen from its front. Edge k runs from vertex k to vertex k + 1.',
    fields: [
      ['a', 'u32', 'vertex 0'],
      ['b', 'u32', 'vertex 1'],
      ['c', 'u32', 'vertex 2'],
      ['source', 'u32', 'triangle index of the caller'],
      ['n', 'vec3', 'unit normal of the front'],
      ['edges', 'u32', 'EDGE_* of edge k in bits 2k and 2k+1; bit 8 + k: the neighbor at edge k is wound the other way'],
      ['neighbor', 'u32 0 1 2', 'triangle behind edge 0 (blob order), NONE at a boundary'], ['pad0', 'u32', 'zero'],
    ],
  },
  {
    name: 'MeshNode', count: 'per node of a mesh tree', align: 128,
    doc: 'Four children of a bounding volume tree, one lane each. An unused lane has an inverted box and child NONE.',
    fields: [
      ['min', 'vec4f X Y Z', '', 'm'], ['max', 'vec4f X Y Z', '', 'm'],
      ['children', 'vec4u', 'node index, or MESH_LEAF | first triangle << 3 | count'], ['pad0', 'vec4u', 'zero'],
    ],
  },
  {
    name: 'MeshWideNode', count: 'per node of the tree that queries walk', align: 256,
    doc: 'Eight children, as of two MeshNodes: the same tree with fewer levels. Used lanes come first.',
    fields: [
      ...[0, 1].flatMap((half) => [[`min*${half}`, 'vec4f X Y Z', '', 'm'], [`max*${half}`, 'vec4f X Y Z', '', 'm']]),
      ['children', 'vec4u 0 1', 'as those of MeshNode'], ['pad', 'vec4u 0 1', 'zero'],
    ],
  },
  {
    name: 'HeightfieldBlob', count: 'per heightfield', align: 16,
    doc:
      'Header of a cooked heightfield (src/shapes/heightfield.ts). Sample (i, j) lies at x = originX + i spacingX, z = ' +
      'originZ + j spacingZ. Cell (i, j) has triangle 0 = (i,j) (i,j+1) (i+1,j+1) and triangle 1 = (i,j) (i+1,j+1) (i+1,j); ' +
      'their indices are 2 (j (nx - 1) + i) + 0 or 1. A NaN height removes the triangles around it.',
    fields: [
      ['nx', 'u32', 'samples along x, at least 2'],
      ['nz', 'u32', 'samples along z, at least 2'],
      ['blocksX', 'u32', 'blocks of 8 x 8 cells along x'],
      ['blobBytes', 'u32', 'length of the blob', 'bytes'],
      ['heightsOffset', 'u32', 'f32[nz][nx]'],
      ['blocksOffset', 'u32', 'f32[blocksZ][blocksX][2]: least and largest height of a block, inverted if it is all holes'],
      ['blocksZ', 'u32'],
      ['pad0', 'u32', 'zero'],
      ['originX', 'f32', '', 'm'], ['originZ', 'f32', '', 'm'], ['spacingX', 'f32', '', 'm'], ['spacingZ', 'f32', '', 'm'],
      ['minY', 'f32', 'bounds', 'm'],
      ['maxY', 'f32', 'bounds', 'm'],
      ['invSpacingX', 'f32', '', '1/m'],
      ['invSpacingZ', 'f32', '', '1/m'],
    ],
  },
  {
    name: 'HeightRange', count: 'per block of a heightfield', align: 8, core: true,
    doc: 'At HeightfieldBlob.blocksOffset; inverted if the block is all holes.',
    fields: [
      ['low', 'f32', '', 'm'], ['high', 'f32', '', 'm'],
    ],
  },
];
