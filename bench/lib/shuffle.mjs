// Creates the bodies of a scene in another order: a pile must come to rest in any order.
import { Random } from './scenes.mjs';

/**
 * The same scene with its dynamic bodies in a random order; fixed ones keep their places.
 * @param {import('../../scenes/types').Scene} scene
 * @param {number} order 0: as it is; else the seed of the order.
 */
export function shuffleCreation(scene, order) {
  if (order === 0) return scene;
  const { bodies } = scene;
  const moving = Array.from(bodies.type.keys()).filter((i) => bodies.density[i] > 0);
  const from = Array.from(bodies.type.keys());
  const random = new Random(1000 + order);
  const left = [...moving];
  for (const place of moving) from[place] = left.splice(random.integer(0, left.length - 1), 1)[0];
  const shuffled = Object.fromEntries(
    Object.entries(bodies).map(([key, values]) => {
      if (key === 'count') return [key, values];
      const width = values.length / bodies.count;
      const out = values.slice();
      for (const [place, source] of from.entries()) out.set(values.subarray(width * source, width * (source + 1)), width * place);
      return [key, out];
    }),
  );
  if (!scene.joints) return { ...scene, bodies: shuffled };
  const place = new Map(from.map((source, at) => [source, at]));
  const joints = scene.joints.map((joint) => ({
    ...joint,
    bodyA: place.get(joint.bodyA) ?? joint.bodyA,
    bodyB: place.get(joint.bodyB),
  }));
  return { ...scene, bodies: shuffled, joints };
}
