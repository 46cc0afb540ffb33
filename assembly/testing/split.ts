// The solvers of this folder for tests.
export * from './ordering';
