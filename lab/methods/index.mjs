// All methods on static problems, and their runner. A method is a function of a problem of lib/problem.mjs. It returns `iterate(v, z)`, one
// iteration in double precision on velocities and impulses, and `syncs`, its global synchronizations on a parallel machine, sequential
// Gauss-Seidel as one per pass. To add one, write it in a file of its own, as a solver of `defineSolver` (docs/own_solver.md), and add a line here.
import { onRows } from '../lib/rows.mjs';
import { gaussSeidelMethods } from './gauss_seidel.mjs';
import { jacobiMethods, printedSearches } from './jacobi.mjs';
import { acceleratedMethods } from './momentum.mjs';
import { conjugateGradient } from './nncg.mjs';
import { splittingMethods } from './splitting.mjs';

export { spectralRadius } from './jacobi.mjs';
export { cellSplitting, cutSplitting } from './splitting.mjs';

/** All methods by name: what the figures call them, and how to make one for a problem. */
export const METHODS = {
  ...gaussSeidelMethods,
  ...jacobiMethods,
  ...splittingMethods,
  ...printedSearches,
  ...acceleratedMethods,
  'conjugate gradients': onRows(conjugateGradient, 4),
};

/** Velocities after `iterations` from rest impulses, and a measure after each; no more of them once `until` holds of a measure. */
export function iterate(p, method, iterations, measure, until = () => false) {
  const { iterate: once, syncs, ...rest } = method(p);
  const v = Float64Array.from(p.v0);
  const z = new Float64Array(p.rows);
  const values = [measure(v, z)];
  for (let i = 0; i < iterations && !until(values.at(-1), values[0]); i++) {
    once(v, z);
    values.push(measure(v, z));
  }
  return { values, syncs, v, z, ...rest };
}
