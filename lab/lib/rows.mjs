// A problem of problem.mjs as the rows that solvers of `defineSolver` take, and such a solver as a method of the lab: the same file runs on
// static problems and in the engine.
import { Rows } from 'talus/study';

/** Rows of a problem: staggered friction, normals before tangents, manifold by manifold. */
export function rowsOfProblem(p) {
  const { points, rows: count } = p;
  const normals = [];
  const tangents = [];
  for (const link of p.links) {
    for (const i of link.points) {
      normals.push(i);
      tangents.push(points + 2 * i, points + 2 * i + 1);
    }
  }
  const isTangent = (row) => row >= points;
  return new Rows({
    ...p,
    count,
    gamma: new Float64Array(count),
    low: new Float64Array(count),
    high: new Float64Array(count).fill(Infinity),
    mu: Float64Array.from({ length: count }, (_, row) => (isTangent(row) ? p.friction : 0)),
    normal: Int32Array.from({ length: count }, (_, row) => (isTangent(row) ? (row - points) >> 1 : -1)),
    stages: [Int32Array.from(normals), Int32Array.from(tangents)],
    v: Float64Array.from(p.v0),
    z: new Float64Array(count),
  });
}

/** A solver of `defineSolver` as a method of the lab. `syncs`: global synchronizations per iteration on a parallel machine. */
export function onRows({ start }, syncs = 2) {
  return (p) => {
    const rows = rowsOfProblem(p);
    const iteration = start(rows);
    let isNew = true;
    return {
      syncs,
      iterate(v, z) {
        rows.v = v;
        rows.z = z;
        if (isNew) iteration.begin?.();
        isNew = false;
        iteration.iterate();
      },
    };
  };
}
