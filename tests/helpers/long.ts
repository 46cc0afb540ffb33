/** Whether the long form of the tests runs (`.ci/run --long`): what takes minutes and is covered in small by the short one. */
export const isLong = process.env.TALUS_LONG === '1';
