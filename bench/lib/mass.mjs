// Mass properties of scene bodies in double precision: closed forms for round shapes, tetrahedra for hulls, parallel axes
// for compounds. Independent of every engine; used for kinetic energy and to check that the engines weigh bodies alike.
import { convexHull } from './hull.mjs';
import { add, cross, dot, matrixOf, multiply, rotate, scale, sub } from './vec.mjs';

const diagonal = (x, y, z) => [x, 0, 0, 0, y, 0, 0, 0, z];

/** Inertia of a unit-density point distribution moved by `d` (mass times (d.d I - d d')). */
function pointInertia(mass, d) {
  const s = dot(d, d);
  const out = diagonal(mass * s, mass * s, mass * s);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[3 * r + c] -= mass * d[r] * d[c];
  return out;
}

const sum = (a, b) => a.map((v, i) => v + b[i]);
const transpose = (m) => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];

function hullProperties(points) {
  let volume = 0;
  let center = [0, 0, 0];
  const covariance = new Array(9).fill(0);
  for (const face of convexHull(points)) {
    const [a, b, c] = face.v.map((i) => points[i]);
    const six = dot(a, cross(b, c));
    volume += six / 6;
    const total = add(add(a, b), c);
    center = add(center, scale(total, six / 24));
    // Second moments of the tetrahedron (0, a, b, c): det/120 * (sum of v v' over vertices + s s').
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++)
        covariance[3 * r + k] += (six / 120) * (a[r] * a[k] + b[r] * b[k] + c[r] * c[k] + total[r] * total[k]);
    }
  }
  center = scale(center, 1 / volume);
  for (let r = 0; r < 3; r++) for (let k = 0; k < 3; k++) covariance[3 * r + k] -= volume * center[r] * center[k];
  const trace = covariance[0] + covariance[4] + covariance[8];
  return { volume, center, inertia: covariance.map((v, i) => (i % 4 === 0 ? trace : 0) - v) };
}

/**
 * Volume (m3), center of mass (m) and inertia at unit density about it (row-major), in the frame of the shape.
 * @param {import('../../scenes/types').ShapeDef[]} shapes
 * @param {number} index
 * @returns {{ volume: number, center: number[], inertia: number[] }}
 */
export function volumeProperties(shapes, index) {
  const s = shapes[index];
  const center = [0, 0, 0];
  switch (s.type) {
    case 'sphere': {
      const volume = (4 / 3) * Math.PI * s.radius ** 3;
      const i = 0.4 * volume * s.radius ** 2;
      return { volume, center, inertia: diagonal(i, i, i) };
    }
    case 'box': {
      const [x, y, z] = s.halfExtents;
      const volume = 8 * x * y * z;
      return { volume, center, inertia: diagonal(y * y + z * z, x * x + z * z, x * x + y * y).map((v) => (v * volume) / 3) };
    }
    case 'cylinder': {
      const volume = Math.PI * s.radius ** 2 * 2 * s.halfHeight;
      const side = volume * (s.radius ** 2 / 4 + s.halfHeight ** 2 / 3);
      return { volume, center, inertia: diagonal(side, (volume * s.radius ** 2) / 2, side) };
    }
    case 'capsule': {
      const r = s.radius;
      const h = s.halfHeight;
      const tube = Math.PI * r * r * 2 * h;
      const caps = (4 / 3) * Math.PI * r ** 3;
      const axial = (tube * r * r) / 2 + caps * 0.4 * r * r;
      const side = tube * ((r * r) / 4 + (h * h) / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
      return { volume: tube + caps, center, inertia: diagonal(side, axial, side) };
    }
    case 'cone': {
      const height = 2 * s.halfHeight;
      const volume = (Math.PI * s.radius ** 2 * height) / 3;
      const side = volume * ((3 / 20) * s.radius ** 2 + (3 / 80) * height ** 2);
      return { volume, center: [0, -s.halfHeight / 2, 0], inertia: diagonal(side, 0.3 * volume * s.radius ** 2, side) };
    }
    case 'hull': {
      const points = [];
      for (let i = 0; i < s.points.length; i += 3) points.push([s.points[i], s.points[i + 1], s.points[i + 2]]);
      return hullProperties(points);
    }
    case 'compound': {
      const parts = s.children.map((child) => {
        const part = volumeProperties(shapes, child.shape);
        const m = matrixOf(child.rotation);
        return {
          volume: part.volume,
          center: add(child.position, rotate(m, part.center)),
          inertia: multiply(multiply(m, part.inertia), transpose(m)),
        };
      });
      const volume = parts.reduce((v, p) => v + p.volume, 0);
      const mean = scale(
        parts.reduce((v, p) => add(v, scale(p.center, p.volume)), [0, 0, 0]),
        1 / volume,
      );
      const inertia = parts.reduce(
        (v, p) => sum(sum(v, p.inertia), pointInertia(p.volume, sub(p.center, mean))),
        new Array(9).fill(0),
      );
      return { volume, center: mean, inertia };
    }
    default:
      return { volume: 0, center, inertia: new Array(9).fill(0) };
  }
}

/**
 * Mass (kg), center (m, body frame) and inertia (kg m2, body frame, row-major) of every body; static bodies weigh 0.
 * @param {import('../../scenes/types').Scene} scene
 */
export function bodyMasses(scene) {
  const cache = new Map();
  const { bodies } = scene;
  const out = [];
  for (let i = 0; i < bodies.count; i++) {
    const shape = bodies.shape[i];
    const density = bodies.density[i];
    if (density === 0) {
      out.push({ mass: 0, center: [0, 0, 0], inertia: new Array(9).fill(0) });
      continue;
    }
    let unit = cache.get(shape);
    if (unit === undefined) {
      unit = volumeProperties(scene.shapes, shape);
      cache.set(shape, unit);
    }
    out.push({ mass: unit.volume * density, center: unit.center, inertia: unit.inertia.map((v) => v * density) });
  }
  return out;
}
