// Triangle meshes and heightfields.

export const surfaces = [
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
];
