// Passes of a substep of the study methods.

/** The solve, with the stabilization. */
export const PASS_MAIN: u32 = 0;
/** Rigid, without it. */
export const PASS_RELAX: u32 = 1;
/** From rest, for positions alone. */
export const PASS_PROJECT: u32 = 2;
