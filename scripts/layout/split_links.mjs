// Passes and links of the splitting solver.

export const splitLinks = [
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
      ['time', 'f32', 'middle of the substep, since the start of the step', 's'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
  {
    name: 'SplitLink', count: 'per link', align: 16, wgsl: true,
    doc: 'A manifold as a sweep reads it, made anew in every step. Effective masses are those of the split bodies.',
    fields: [
      [
        'ids', 'vec4u',
        'local body A + local body B << 16; first vec4f in the impulses; points + 256 if one body is static + ' +
        'SPLIT_LINK_LOCKED, SPLIT_LINK_SURFACE, SPLIT_LINK_STRUCK; manifold',
      ],
      ['normal', 'vec4f', 'unit normal from A to B; friction'],
      ['tangent', 'vec4f', 'first unit tangent; share of the speed of pushing out'],
      ['centerA', 'vec4f', 'mean of the anchors A; twist radius', 'm'],
      ['centerB', 'vec4f', 'mean of the anchors B; 1 / K of the twist row', 'm'],
      ['block', 'vec4f', 'inverse of the 2x2 friction block: 11, 12, 22; rollLever', 'kg'],
    ],
  },
];
