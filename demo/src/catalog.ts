// What the page offers: scenes of the scene library with a text, the figure they answer, and where to look from.
import { buildScene, type Scene, type SceneName, type SceneOptions } from '../../scenes/index';
import { crowd } from './crowd';

export interface Entry {
  /** Name in the address of the page. */
  name: string;
  title: string;
  text: string;
  /** Figure of a paper that the scene answers. */
  figure?: string;
  /** Where the camera stands and what it looks at, m. */
  camera: readonly [number, number, number];
  target: readonly [number, number, number];
  /** Half the edge or the radius of what is thrown and built, m. */
  toolSize: number;
  /** Speed of what is thrown, m/s. */
  throwSpeed: number;
  /** Number of bodies that can be chosen: least, most, standard. */
  count?: readonly [number, number, number];
  /** The number of bodies follows the device. */
  adaptive?: boolean;
  build(options: SceneOptions): Scene;
}

const tonge = 'Tonge, Benevolenski, Voroshilov 2012';

function entry(name: SceneName, rest: Omit<Entry, 'name' | 'build'>, options: SceneOptions = {}): Entry {
  return { name, ...rest, build: (given) => buildScene(name, { ...options, ...given }) };
}

export const ENTRIES: readonly Entry[] = [
  entry('boxes', {
    title: 'Boxes on a mesh',
    text: '5,160 boxes of mixed sizes come to rest on a non-convex mesh of 8,192 triangles. Watch the kinetic energy: a solver that jitters never gets it down.',
    figure: `${tonge}, figure 1 left, and "Boxes" of figure 6`,
    camera: [30, 24, 34],
    target: [0, 2, 0],
    toolSize: 0.6,
    throwSpeed: 30,
    count: [200, 10000, 5160],
  }),
  entry('boxes-small', {
    title: 'Boxes, smaller',
    text: '1,000 boxes on a mesh of 2,048 triangles: the same pile for phones and side-by-side views.',
    camera: [17, 14, 20],
    target: [0, 1.5, 0],
    toolSize: 0.5,
    throwSpeed: 25,
    count: [100, 1500, 1000],
  }),
  entry('chain', {
    title: 'Chain of closed links',
    text: 'Closed rings of capsules, one fixed: contact and friction alone carry the chain. No joint is used.',
    figure: `${tonge}, "Chain" of figure 6`,
    camera: [2.5, 9, 21],
    target: [2.5, 5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
  }),
  entry('cardhouse', {
    title: 'Card house',
    text: '48 cards on five levels, held by friction alone. Throw something at it.',
    figure: `${tonge}, "Card house" of figure 6`,
    camera: [1.5, 4.2, 11],
    target: [0, 2.2, 0],
    toolSize: 0.2,
    throwSpeed: 14,
  }),
  entry('cardhouse-hit', {
    title: 'Card house, hit',
    text: 'The same house with boxes thrown at it.',
    figure: `${tonge}, "Card house" of figure 6`,
    camera: [4, 4.6, 11],
    target: [0, 2, 0],
    toolSize: 0.2,
    throwSpeed: 14,
  }),
  entry('chess', {
    title: 'Chess',
    text: 'A thousand chess pieces, each a compound of convex hulls turned on a lathe, dropped on a board with a rim.',
    figure: `${tonge}, the chess row of the timing table`,
    camera: [9, 9, 12],
    target: [0, 1, 0],
    toolSize: 0.3,
    throwSpeed: 15,
    count: [64, 1000, 1000],
  }),
  entry('fracture', {
    title: 'Fracture with a ball',
    text: 'Three columns cut into 277 Voronoi cells stand until a ball hits them. Debris of irregular shapes and very unequal masses.',
    figure: `${tonge}, figure 1 middle, and "Fracture" of figure 6`,
    camera: [9, 6, 12],
    target: [0, 2, 0],
    toolSize: 0.4,
    throwSpeed: 16,
  }),
  entry('wall', {
    title: 'Wall',
    text: '30 layers of 10 bricks, just touching. It should stand as if it were glued, and fall apart when hit.',
    camera: [9, 10, 25],
    target: [0, 6.5, 0],
    toolSize: 0.5,
    throwSpeed: 30,
  }),
  entry('pyramid', {
    title: 'Pyramid',
    text: '1,830 boxes, 60 in the lowest row: a long way for an impulse from the top to the ground.',
    camera: [20, 26, 68],
    target: [0, 22, 0],
    toolSize: 1.2,
    throwSpeed: 45,
  }),
  entry('boxes720', {
    title: '720 boxes in towers',
    text: '72 towers of ten boxes, each box a little out of line.',
    figure: 'Tsuda 2009, figure 3',
    camera: [12, 11, 17],
    target: [0, 4, 0],
    toolSize: 0.6,
    throwSpeed: 30,
  }),
  entry(
    'mixed',
    {
      title: 'Mixed shapes',
      text: '10,000 spheres, capsules, boxes, cylinders, cones, hulls and compounds on the mesh.',
      camera: [30, 24, 34],
      target: [0, 2, 0],
      toolSize: 0.6,
      throwSpeed: 30,
      count: [200, 10000, 10000],
    },
    { count: 10000 },
  ),
  entry('spheres', {
    title: 'Spheres',
    text: '5,000 spheres of different size in a container.',
    camera: [15, 15, 22],
    target: [0, 3, 0],
    toolSize: 0.6,
    throwSpeed: 25,
    count: [200, 10000, 5000],
  }),
  entry('rubble', {
    title: 'Rubble, mass ratio 1 : 1000',
    text: 'Hulls of every size from a fist to a boulder. Large ones come last and lie on small ones, the hard case for contact solvers.',
    figure: `${tonge}, figure 1 middle: irregular shapes and large mass ratios`,
    camera: [12, 10, 16],
    target: [0, 1.5, 0],
    toolSize: 0.6,
    throwSpeed: 22,
    count: [100, 3000, 1000],
  }),
  entry('heap', {
    title: 'Heap of limbs',
    text: '1,950 capsules and boxes, as many bodies as 150 ragdolls have. They will be ragdolls when joints come.',
    figure: 'Tsuda 2009, figure 4',
    camera: [14, 12, 18],
    target: [0, 1.5, 0],
    toolSize: 0.5,
    throwSpeed: 22,
    count: [100, 1950, 1950],
  }),
  entry('domino', {
    title: 'Domino run',
    text: '60 dominoes; the first is pushed.',
    camera: [-22, 7, 9],
    target: [-4, 0, 0],
    toolSize: 0.15,
    throwSpeed: 10,
  }),
  entry('slabs', {
    title: 'Heavy on light',
    text: 'A block of a hundred times the mass of a slab on five thin slabs.',
    camera: [3, 2.4, 4],
    target: [0, 0.7, 0],
    toolSize: 0.15,
    throwSpeed: 10,
  }),
  {
    name: 'many',
    title: 'As many as your device can',
    text: 'Boxes keep coming until this device no longer shows 60 frames a second with everything on this page running; then the number settles.',
    camera: [26, 22, 32],
    target: [0, 3, 0],
    toolSize: 0.6,
    throwSpeed: 30,
    adaptive: true,
    build: (options) => crowd(options),
  },
];

export function findEntry(name: string): Entry | undefined {
  return ENTRIES.find((entry) => entry.name === name);
}
