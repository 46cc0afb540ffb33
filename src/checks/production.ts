// Whether a program was built for production, where development warnings are silent.

declare const process: { env: { NODE_ENV?: string } };

/**
 * Returns whether this is a production build. Bundlers replace `process.env.NODE_ENV` by its value; without a `process`, as in a
 * page without a bundler, it is development.
 */
export function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return false;
  }
}
