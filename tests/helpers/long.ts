/** Whether the long form of the tests runs (`.ci/run --long`): what takes minutes and is covered in small by the short one. */
export const isLong = process.env.TALUS_LONG === '1';

/** The name of a test for `test.each`, which the long form alone runs. */
export const onlyLong = (name: string): string[] => (isLong ? [name] : []);

/** All cases in the long form, in the short one every `nth`, from number `first` on. */
export const everyNth = <T>(cases: readonly T[], nth: number, first = 0): T[] =>
  isLong ? [...cases] : cases.filter((_, i) => i % nth === first % nth);
