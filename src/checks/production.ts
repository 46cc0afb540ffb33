// Whether a program was built for production, where development warnings are silent.

declare const process: { env: { NODE_ENV?: string } };

/** Bundlers put the name of the build in its place; where there is no `process`, as in a page without a bundler, it is development. */
export function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return false;
  }
}
