// The row of a pulley: its rope has another direction on body A. Twin: ROW_PULLEY in assembly/study/methods/row.ts. Kernels
// declare `rows`.
#import rows

// Its direction less that on body A.
fn rope_of(r: u32) -> vec3f { return vec3f(rows[r].d.w, rows[r].more.w, bitcast<f32>(rows[r].ids.w)); }
