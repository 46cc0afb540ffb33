// Which of the two cores is compiled from these sources: that of the product, or that of `talus/study` with the published
// methods it is compared with (docs/methods.md). What stands behind `if (STUDY)` and what only it calls is not compiled at all
// into the core of the product.

/** Given by scripts/build_wasm.mjs as `--use STUDY_BUILD=0` or 1. */
// @ts-ignore: no declaration
export const STUDY: bool = STUDY_BUILD != 0;
