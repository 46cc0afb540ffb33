// The splitting solver and what the GPU holds.

export const split = [
  {
    name: 'SplitState', count: 'one', align: 64,
    doc:
      'Address book of the splitting solver at Header.splitState: the packed buffers as uploaded to the GPU, their counts, ' +
      'and the scratch of the scalar solvers.',
    fields: [
      [
        'steps', 'array',
        'SplitStep[], SPLIT_STEP_SLOT bytes apart: passes, then edit, spread, prepare, island, island_joints, finalise, collect',
      ],
      [
        'cells', 'array',
        'u32[8] a cell: first link, links, first slot, slots, first color end, colors, closed, colors of contacts (those of ' +
        'joints follow); then the color ends (u32, relative to the first link)',
      ],
      ['links', 'array', 'SplitLink[]'],
      ['points', 'array', 'f32[4][pointRows] a link: SplitPoints, SplitPointFriction'],
      ['members', 'array', 'SplitMember[]'],
      [
        'impulses', 'array',
        'f32[4][impulseStride] a manifold, at the place of its index: PointImpulses, PatchImpulse; where frictionModel is 1 the ' +
        'tangent impulses of points, two rows; last RollImpulse',
      ],
      ['slots', 'array', 'SplitSlot[]'],
      ['slotStates', 'array', 'SplitSlotState[]'],
      ['rows', 'array', 'SplitRow[4 * rowCount]'],
      ['owners', 'array', 'u32 a body: its first slot, NONE if it does not move'],
      ['edits', 'array', 'GpuEdit[]'],
      ['bodies', 'array', 'GpuBody[]: bodies as they are now'],
      ['traits', 'array', 'GpuTraits[]: what the GPU holds, patched'],
      ['hashes', 'array', 'u32[4] a body: hash of the GpuBody that the GPU holds, then its index'],
      ['motions', 'array', 'GpuMotion[] of the twin of the GPU, as long as bodies may be quiet'],
      ['reported', 'array', 'ReportedContact[] of the twin of the GPU, by the index of the manifold'],
      ['dirty', 'array', 'u32[2]: ranges of bodies to upload, then at GPU_RANGES those of traits'],
      [
        'readback', 'array',
        'result of the GPU: GpuMotion of each body that reports, then each link that reports (its manifold, the rows of four ' +
        'points and the others of its impulses), then the rows of all joints (SplitMember.result)',
      ],
      ['moving', 'array', 'u8 a body: it had a slot when slots were last handed out'],
      ['bodySlots', 'array', 'u32 a body: slots so far, then first slot or row'],
      ['localBodies', 'array', 'scratch of the kernel: local bodies of one cell'],
      ['pgsLinks', 'array', 'PgsLink[]'],
      ['startVelocities', 'array', 'f32[8] a body: velocity at the start of the substep'],
      ['pointTangents', 'array', 'PointTangents[]'],
      ['joints', 'array', 'f32[4][GPU_JOINT_ROWS] a joint, at the place of its index'],
      ['jointMembers', 'array', 'u32[]: members that are joints'],
      ['jointScratch', 'array', 'scratch of joint_rows.ts'],
      ['cellCount', 'u32'],
      ['closedCellCount', 'u32', 'cells of whole islands, first'],
      ['plainCellCount', 'u32', 'those without joints, first of all'],
      ['jointIslands', 'u32', 'host: 1 if its GPU has the kernel for islands with joints'],
      ['islandCellCount', 'u32', 'first cells that go through the kernels for islands'],
      ['linkCount', 'u32'],
      ['impulseStride', 'u32', 'rows of impulses a manifold: 6, or 8 with friction per point'],
      ['pointRows', 'u32', 'rows of points a link: 5, or 9 with friction per point'],
      ['jointResultRows', 'u32', 'rows of the joints in a result'],
      ['linkReportWords', 'u32', 'words of a link in a result'],
      ['bodyReports', 'u32', 'bodies in the result'],
      ['linkReports', 'u32', 'links in the result'],
      ['slotCount', 'u32', 'slots of cells, then bodies without contacts'],
      ['cellSlotCount', 'u32', 'slots of cells'],
      ['rowCount', 'u32', 'rows of one half'],
      ['bodyCount', 'u32'],
      ['passCount', 'u32', 'solve passes'],
      ['colorEndCount', 'u32'],
      ['cellBytes', 'u32', 'bytes of cells with the color ends'],
      ['rolling', 'u32', '1: rolling resistance is solved'],
      ['editCount', 'u32'],
      ['dirtyCount', 'u32', 'ranges of bodies in dirty'],
      ['traitRanges', 'u32', 'ranges of traits in dirty'],
      ['dirtyBodies', 'u32', 'bodies that differ from what the GPU holds'],
      ['heldBodies', 'u32', 'bodies that the GPU holds'],
      ['heldEpoch', 'u32', 'Header.heldEpoch of the last step'],
      ['layout', 'u32', 'number of the layout of cells and slots that holds, 0 for none'],
      ['layouts', 'u32', 'layouts so far'],
      ['heldLayout', 'u32', 'layout that the GPU holds'],
      ['jointCount', 'u32', 'joints in the step'],
      ['jointRanges', 'u32', 'ranges of joints in dirty'],
      ['heldJoints', 'u32', 'Header.jointStamp of what the GPU holds of joints'],
    ],
  },
  {
    name: 'SplitStep', count: 'per pass', align: 16, wgsl: true,
    doc: 'Parameters of one pass of the splitting solver, a uniform of the GPU; SPLIT_STEP_SLOT bytes apart.',
    fields: [
      ['mode', 'u32', 'SPLIT_*'],
      ['sweeps', 'u32'],
      ['rowRead', 'u32', 'first row of the half that the pass reads'],
      ['rowWrite', 'u32', 'first row of the half it writes'],
      ['flags', 'u32', 'bit 0 first substep, bit 2 friction per point, bit 3 there are roll states'],
      ['firstCell', 'u32'],
      ['substeps', 'u32'],
      ['count', 'u32', 'elements of the pass: cells, links, slots, bodies or edits'],
      ['h', 'f32', 'substep', 's'],
      ['invH', 'f32', '', '1/s'],
      ['rate', 'f32', 'bias rate of soft contacts', '1/s'],
      ['rateStatic', 'f32', 'bias rate against static bodies', '1/s'],
      ['pushSpeed', 'f32', '', 'm/s'],
      ['slop', 'f32', '', 'm'],
      ['warmStart', 'f32'],
      ['gammaScale', 'f32', 'gamma of soft contacts over K'],
      ['gammaScaleStatic', 'f32', 'the same against static bodies'],
      ['impulseStride', 'u32', 'vec4f of impulses a manifold'],
      ['impulseScale', 'f32', 'Header.impulseScale'],
      ['zero', 'u32', '0, which no compiler knows (finalise.wgsl)'],
      [
        'softRows', 'u32',
        'from the row of a sub-body to the one after its soft sweeps; 0: none, the mean is taken twice a substep',
      ],
      ['jointRate', 'f32', 'bias rate of joints', '1/s'],
      ['jointGamma', 'f32', 'compliance of joints over K'],
      ['linkCount', 'u32'],
      ['time', 'f32', 'middle of the substep, since the start of the step', 's'],
      ['reportDistance', 'f32', 'bodies and gaps that moved by more since their last report are reported; below 0: all', 'm'],
      ['reportSpeed', 'f32', 'the same of changes of speed', 'm/s'],
      ['pointRows', 'u32', 'SplitState.pointRows'],
      ['firstLink', 'u32', 'of the cells of the pass'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
  {
    name: 'SplitLink', count: 'per link', align: 16, wgsl: true,
    doc:
      'A manifold as a sweep reads it, made anew in every step (assembly/split/link.ts packs it). Effective masses are those of ' +
      'the split bodies. Of a joint: ids alone.',
    fields: [
      [
        'frame', 'vec4u: nx ny nz turn',
        'bits of the unit normal from A to B; the first tangent as a direction in a plane that follows from the normal (16 ' +
        'bits), unit of the places of the points (5), share that softness takes of an impulse (11, with 12 more in centerB)',
      ],
      ['centerA', 'vec4f', 'mean of the arms A of the points; friction', 'm'],
      ['centerB', 'vec4f', 'mean of the arms B; twist radius, with bits of a share (packTwist)', 'm'],
      [
        'ids', 'vec4u: marks impulses block0 block1',
        'local bodies A and B, points, SPLIT_LINK_*, share of the speed of pushing out (linkMarks); first vec4f in the impulses, ' +
        'of a joint in the joints; inverse of the 2x2 friction block, 21 bits a number (packBlock)',
      ],
    ],
  },
  {
    name: 'SplitPoints', count: 'per link', align: 16,
    doc:
      'The points of a link, number by number: of points 0-3, zero beyond the last. With friction per point SplitPointFriction ' +
      'lies behind it (SplitStep.pointRows).',
    fields: [
      [
        'places', 'vec4u',
        'from the centers along the first tangent and the second (high half), the mean of both bodies, i16 in units of the link',
      ],
      ['mass', 'vec4f', '1 / K of the normal row', 'kg'],
      ['separation', 'vec4f', 'at the start of the step', 'm'],
      [
        'surface', 'vec4f: surface1 surface2 rate1 rate2',
        'with SPLIT_LINK_SURFACE: velocity of the surfaces along the tangents, and how it changes (m/s2)', 'm/s',
      ],
      ['more', 'vec4f: surfaceTwist rollArm pad0 pad1', 'spin of the surfaces about the normal; rollArm (m)'],
    ],
  },
  {
    name: 'SplitPointFriction', count: 'per link', align: 16,
    doc: 'What friction per point has besides, of points 0-3.',
    fields: [
      ['mass', 'vec4f 1 2', '1 / K of the tangents', 'kg'],
      ['heightA', 'vec4f', 'from centerA along the normal, of arm A', 'm'],
      ['heightB', 'vec4f', 'from centerB, of arm B', 'm'],
    ],
  },
  {
    name: 'SplitSlot', count: 'per slot', align: 16, wgsl: true,
    doc: 'A sub-body: a share of a body in one cell. k = number of sub-bodies of the body; its mass is 1 / k of the body.',
    fields: [
      [
        'ids', 'vec4u: firstRow copies place body',
        'first boundary row of the body; k (0: body without contacts); own place among them; body',
      ],
    ],
  },
  {
    name: 'SplitSlotState', count: 'per slot', align: 16, wgsl: true,
    doc: 'State of a sub-body, private to its cell; every copy of a body computes the same vStart, wStart, d, p.',
    fields: [
      ['v', 'vec4f', 'velocity after the last pass', 'm/s'],
      ['w', 'vec4f', '', 'rad/s'],
      ['vStart', 'vec4f', 'velocity at the start of the substep', 'm/s'],
      ['wStart', 'vec4f', '', 'rad/s'],
      ['d', 'vec4f', 'translation since the start of the step', 'm'],
      ['p', 'vec4f', 'rotation vector since the start of the step', 'rad'],
      [
        'marks', 'vec4f',
        'x of the first slot of a cell: 1 if a link of the cell has an excess; y: locks of the body ' +
        '(assembly/bodies/locks.ts); z: its extent (GpuTraits); w: 1 if its GpuMotion belongs to its GpuBody, ' +
        '2 if that has another pose and the same velocities',
      ],
      ['inertia0', 'vec4f', 'inverse inertia of the body, world axes: xx xy xz yy', '1/(kg m2)'],
      ['inertia1', 'vec4f', 'yz zz; 1 / mass; 1 / k', '1/(kg m2)'],
      ['accel', 'vec4f', 'acceleration, constant over the step', 'm/s2'], ['angularAccel', 'vec4f', '', 'rad/s2'],
    ],
  },
  {
    name: 'SplitRow', count: 'per boundary sub-body', align: 16, wgsl: true,
    doc:
      'Velocity of one sub-body of a shared body; the rows of a body are contiguous. Two halves, read and written in turn; ' +
      'behind them two more for the velocity after the soft sweeps, where the mean is taken once a substep.',
    fields: [
      ['v', 'vec4f', '', 'm/s'], ['w', 'vec4f', '', 'rad/s'],
    ],
  },
  {
    name: 'SplitMember', count: 'per link', align: 16, wgsl: true,
    doc: 'A manifold as a member of its cell; by cell, color, manifold. Holds as long as the cells do.',
    fields: [
      ['manifold', 'u32', 'or joint'],
      ['locals', 'u32', 'local body A + local body B << 16'],
      ['slotA', 'u32', 'slot of body A, NONE if it does not move'],
      ['slotB', 'u32'],
      ['kA', 'f32', 'sub-bodies of body A, at least 1'],
      ['kB', 'f32'],
      ['result', 'u32', 'of a joint: first row in the result of a step'],
      ['room', 'u32', 'points of a manifold, NONE: a joint'],
    ],
  },
  {
    name: 'GpuContact', count: 'per manifold', align: 16,
    doc: 'A manifold as it stays on the GPU, at the place of its index, in the world frame that the contacts stage gave it last.',
    fields: [
      ['ids', 'vec4u', 'body A; body B; points + SPLIT_LINK_STRUCK; manifold'],
      ['normal', 'vec4f', 'unit normal from A to B; friction'],
      ['tangent', 'vec4f', 'first unit tangent; share of the speed of pushing out'],
      ['radii', 'vec4f', 'twist radius; rollArm; velocity of the surfaces along t and u', 'm'],
      ...[
        'spin of the surfaces about the normal', 'change of their velocity along t', 'along u', '0',
      ].flatMap((fourth, i) => [
        [`armA${i}`, 'vec4f', `point ${i}: arm rA, world axes; ${fourth}`, 'm'], [`armB${i}`, 'vec4f', 'arm rB; 0', 'm'],
      ]),
    ],
  },
  {
    name: 'GpuEdit', count: 'per changed manifold', align: 16,
    doc: 'What the CPU tells the GPU of a manifold that is new or has changed.',
    fields: [
      ['contact', 'vec4u', 'GpuContact, its first row'],
      ['contact', 'vec4u 1 2 3 4 5 6 7 8 9 10 11'],
      [
        'impulses', 'vec4u 0 1 2 3 4 5 6 7',
        'the impulses of the manifold, SplitStep.impulseStride of these rows (SplitState.impulses)',
      ],
    ],
  },
  {
    name: 'GpuBody', count: 'per body', align: 16, wgsl: true,
    doc: 'State of a body on the GPU: as uploaded, or as reported last.',
    fields: [
      ['center', 'vec4f', 'center of mass, high part; 1 / mass', 'm'],
      ['centerLow', 'vec4f', 'low part; center of mass in the body frame, x', 'm'],
      ['rotation', 'vec4f', 'unit quaternion x y z w'],
      ['v', 'vec4f', 'velocity; center of mass in the body frame, y', 'm/s'],
      ['w', 'vec4f', 'angular velocity; center of mass in the body frame, z', 'rad/s'],
    ],
  },
  {
    name: 'GpuTraits', count: 'per body', align: 16, wgsl: true,
    doc: 'Of a body on the GPU, what steps do not change there.',
    fields: [
      ['inertia0', 'vec4f', 'inverse inertia in the body frame: xx xy xz yy', '1/(kg m2)'],
      [
        'inertia1', 'vec4f',
        'yz zz; locks (assembly/bodies/locks.ts); how far it reaches from its center (m), below 0 if it reports every motion',
        '1/(kg m2)',
      ],
      ['accel', 'vec4f', 'acceleration in this step', 'm/s2'], ['angularAccel', 'vec4f', '', 'rad/s2'],
    ],
  },
  {
    name: 'GpuMotion', count: 'per body', align: 16, wgsl: true,
    doc:
      'How a body moves since its GpuBody was set, bits of f32. The fourth words are a hash of that GpuBody and the index of the ' +
      'body. In a report: its motion up to now, and the hash of the GpuBody that it leads to.',
    fields: [
      ['v', 'vec4u', 'velocity', 'm/s'],
      ['w', 'vec4u', '', 'rad/s'],
      ['d', 'vec4u', 'translation of the center of mass', 'm'],
      ['p', 'vec4u', 'rotation vector', 'rad'],
    ],
  },
  {
    name: 'GpuPose', count: 'per body', align: 16, wgsl: true,
    doc: 'Pose of the body origin, for renderers.',
    fields: [
      ['position', 'vec4f', 'w = 1', 'm'], ['rotation', 'vec4f', 'unit quaternion x y z w'],
    ],
  },
  {
    name: 'LocalBody', count: 'per body of a cell', align: 16, core: true,
    doc: 'A body of the cell at hand: what the GPU keeps in workgroup memory.',
    fields: [
      ['v', 'vec4f'], ['w', 'vec4f'], ['d', 'vec4f', 'motion since the start of the step'],
      ['p', 'vec4f'], ['inertia0', 'vec4f', 'inverse inertia xx xy xz yy'],
      ['inertia1', 'vec4f', 'yz zz; 1 / mass'], ['mass', 'vec4f', '1 / mass along x y z, 0'],
      ['free', 'vec4f', 'all ones in lanes of linear axes that are not locked'],
      ['freeTurn', 'vec4f', 'of angular ones'],
    ],
  },
  {
    name: 'BodySlots', count: 'per body', align: 32, core: true,
    doc: 'Words of a body while slots are handed out (SplitState.bodySlots).',
    fields: [
      ['k', 'u32'], ['firstRow', 'u32'], ['lastCell', 'u32', 'cell + 1 that counted it last'],
      ['local', 'u32', 'its local index there'], ['own', 'u32', 'rows given so far'],
      ['firstSlot', 'u32'], ['links', 'u32', 'in the cell at hand; then its sub-bodies there'],
      ['dealt', 'u32', 'links dealt out to these'],
    ],
  },
  {
    name: 'SplitJoint', count: 'scratch', align: 16, core: true,
    doc: 'A joint of the splitting solver at hand (assembly/split/joint_block.ts), at SplitState.jointScratch.',
    fields: [],
    rest: [
      ['JOINT_OLD', 'JointWrench', 1, 'impulses before'],
      ['JOINT_NEW', 'JointWrench', 1, 'the same now'],
      ['JOINT_COLUMNS', 'vec4f', 4, 'of a rotation'],
      ['JOINT_ANGULAR', 'JointBasis', 1, 'the angular axes: those locked, others at right angles to them'],
      ['JOINT_LINEAR', 'JointBasis', 1, 'the linear axes'],
      ['JOINT_DRIVEN', 'JointBasis', 1, 'the angular axes that are limited or driven: the speed along them is that of their angle'],
      ['JOINT_CONE', 'JointCone', 1, 'the cone; vectors from JOINT_LINEAR on are those of axes 0-6'],
      ['JOINT_PLACES', 'vec4f', 1, 'of axes 0-2'],
      ['JOINT_ANGLES', 'JointAngles', 1, 'of axes 3-5'],
      ['JOINT_GAP', 'vec4f', 1, 'of the locked linear axes'],
      ['JOINT_TURN', 'vec4f', 2, 'of the locked angular axes'],
      ['JOINT_PART_A', 'SymmetricRows', 1, 'K of A; JointAnswers while no K is at hand'],
      ['JOINT_PART_B', 'SymmetricRows', 1, 'of B'],
      ['JOINT_WHOLE', 'SymmetricRows', 1, 'of both as whole bodies'],
      ['JOINT_SPLIT', 'SymmetricRows', 1, 'of both as split ones'],
      ['JOINT_COUPLED', 'SymmetricRows', 1, 'inverse block of the locked angular axes while the linear ones hold'],
      ['JOINT_ARMS', 'JointArms', 1, 'its bodies about its anchors'],
      ['JOINT_MOTION', 'JointMotion', 1, 'of its bodies'],
    ],
  },
  {
    name: 'JointWrench', count: 'scratch', align: 16, core: true,
    doc: 'What a joint gives its bodies.',
    fields: [
      ['pushA', 'vec4f', 'impulse on A', 'N s'], ['twistA', 'vec4f', 'angular impulse on A', 'N m s'],
      ['pushB', 'vec4f', '', 'N s'], ['twistB', 'vec4f', '', 'N m s'],
    ],
  },
  {
    name: 'JointArms', count: 'scratch', align: 16, core: true,
    doc: 'What an impulse at the anchors of a joint turns.',
    fields: [
      ['inertiaA', 'vec4f 0 1', 'inverse inertia of A, as SymmetricRows; 1 / mass', '1/(kg m2)'], ['inertiaB', 'vec4f 0 1'],
      ['armA', 'vec4f', 'from the centers of mass', 'm'], ['armB', 'vec4f'],
    ],
  },
  {
    name: 'JointMotion', count: 'scratch', align: 16, core: true,
    doc: 'How the bodies of a joint have moved since the start of the step, and how they move.',
    fields: [
      ['dA', 'vec4f', 'translation', 'm'], ['dB', 'vec4f'], ['pA', 'vec4f', 'rotation vector', 'rad'], ['pB', 'vec4f'],
      ['turnA', 'vec4f', 'the same as a quaternion'], ['turnB', 'vec4f'],
      ['vA', 'vec4f', 'velocity of the last motion', 'm/s'], ['vB', 'vec4f'], ['wA', 'vec4f', 'its spin', 'rad/s'], ['wB', 'vec4f'],
    ],
  },
  {
    name: 'JointAnswers', count: 'scratch', align: 16, core: true,
    doc: 'What of the impulses of the locked axes are answers to those of single axes.',
    fields: [
      ['push', 'vec4f', 'linear', 'N s'], ['twist', 'vec4f', 'angular', 'N m s'],
    ],
  },
  {
    name: 'JointBasis', count: 'scratch', align: 16, core: true,
    doc: 'Three axes of a joint, world.',
    fields: [
      ['x', 'vec4f'], ['y', 'vec4f'], ['z', 'vec4f'],
    ],
  },
  {
    name: 'JointCone', count: 'scratch', align: 16, core: true,
    doc: 'The cone of a joint.',
    fields: [
      ['way', 'vec3', 'direction in which it pushes'], ['swing', 'f32', '', 'rad'],
    ],
  },
  {
    name: 'JointAngles', count: 'scratch', align: 16, core: true,
    doc: 'Angles of a joint.',
    fields: [
      ['swing', 'f32 X Y', '', 'rad'], ['twist', 'f32', '', 'rad'],
      ['regular', 'f32', '1, 0 near a swing of half a turn, where swing and twist are singular'],
    ],
  },
  {
    name: 'SymmetricRows', count: 'scratch', align: 16, core: true,
    doc: 'A symmetric 3x3 matrix (symmetric() of assembly/split/local_body.ts).',
    fields: [
      ['row0', 'vec4f', 'xx xy xz yy'], ['row1', 'vec4f', 'yz zz 0 0'],
    ],
  },
  {
    name: 'DirtyRange', count: 'per range', align: 8, core: true,
    doc: 'At SplitState.dirty: what is to be uploaded.',
    fields: [
      ['first', 'u32'], ['count', 'u32'],
    ],
  },
  {
    name: 'ToldJoint', count: 'per joint', align: 8, core: true,
    doc: 'Behind the rows of a joint that the GPU was told: when that was.',
    fields: [
      ['epoch', 'u32', 'Header.heldEpoch of its memory'], ['generation', 'u32', 'of the joint'],
    ],
  },
  {
    name: 'SplitCell', count: 'per cell', align: 32, core: true,
    doc: 'A cell of the splitting solver, as the GPU reads it; behind all of them lie the ends of colors.',
    fields: [
      ['firstLink', 'u32'],
      ['links', 'u32'],
      ['firstSlot', 'u32'],
      ['slots', 'u32'],
      ['colors', 'u32', 'word of its first color end, from the start of the cells'],
      ['colorCount', 'u32'],
      ['closed', 'u32', '1: a cell of whole islands'],
      ['contactColors', 'u32', 'colors of contacts, which come first'],
    ],
  },
  {
    name: 'PointImpulses', count: 'per manifold', align: 16, core: true,
    doc: 'Rows of SplitState.impulses: of points 0-3, zero beyond the last.',
    fields: [
      ['impulse', 'vec4f', 'normal, per substep', 'N s'],
      ['largest', 'vec4f', 'of the step, at the end of the relax sweeps of a substep', 'N s'],
      ['separation', 'vec4f', '', 'm'],
      [
        'excess', 'vec4f',
        'what the next warm start leaves out; between soft and relax sweeps the impulse of the substep before', 'N s',
      ],
    ],
  },
  {
    name: 'PatchImpulse', count: 'per manifold', align: 16, core: true,
    doc: 'The row of SplitState.impulses behind those of its points.',
    fields: [
      ['tangent', 'f32 1 2', 'friction', 'N s'],
      ['twist', 'f32', '', 'N m s'],
      ['step', 'f32', 'normal impulse of the step: all points, substeps and restitution', 'N s'],
    ],
  },
  {
    name: 'ReportedContact', count: 'per manifold', align: 16, core: true,
    doc: 'Row of SplitState.reported.',
    fields: [
      ['points', 'vec4f', 'normal impulses of the points', 'N s'],
      ['gaps', 'vec4f', 'their separations', 'm'],
      ['patch', 'vec4f', 'PatchImpulse', 'N s'],
    ],
  },
  {
    name: 'RollImpulse', count: 'per manifold', align: 16, core: true,
    doc: 'The last row of SplitState.impulses of a manifold.',
    fields: [
      ['roll', 'f32 1 2', 'of rolling resistance, about the tangents', 'N m s'], ['pad', 'f32 0 1', 'zero'],
    ],
  },
];
