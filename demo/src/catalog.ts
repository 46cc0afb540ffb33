// What the page offers: scenes of the scene library with a text, the figure they answer, and where to look from.
import { buildScene, type Scene, type SceneName, type SceneOptions } from '../../scenes/index';
import type { JointChanges } from '../../src/study/index';
import { crowd } from './crowd';
import type { Steer } from './pad';
import type { Tool } from './tools';

/** A slider of the panel that drives joints of the scene. */
export interface Handle {
  text: string;
  /** Least, most, step. */
  range: readonly [number, number, number];
  start: number;
  /** Indices of joints of the scene. */
  joints: readonly number[];
  change(value: number): JointChanges;
}

export interface Judged {
  /** From one engine to the next on wide and on tall screens, m. */
  wide: readonly [number, number, number];
  tall: readonly [number, number, number];
  /** `arch`: thickness of the ring over its mean radius. */
  thickness?: number;
}

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
  /** Height above its frame at which bodies that fall into the scene are still shown, m. */
  above?: number;
  /** Number of bodies that can be chosen: least, most, standard. */
  count?: readonly [number, number, number];
  /** Number of bodies on narrow screens, where more of them would be specks and phones too slow; the page says so. */
  narrow?: number;
  handles?: readonly Handle[];
  /** What a player may steer, by keys and by a pad. */
  steer?: Steer;
  /** The tool that is in the hand when the scene comes. */
  tool?: Tool;
  /** What is thrown is of steel and passes through nothing. */
  bullets?: boolean;
  /** It is judged by a closed form, and other engines can play it beside talus. */
  judged?: Judged;
  /** It wears something for the picture (dress.ts). */
  isDressed?: boolean;
  /** The number of bodies follows the device. */
  adaptive?: boolean;
  build(options: SceneOptions): Scene;
}

/** Scenes of scenes/torture.ts that are in no other list. */
type TortureName = 'arch' | 'gyroscope' | 'wrecking-ball' | 'racket';

const tonge = 'Tonge, Benevolenski, Voroshilov 2012';

function entry(name: SceneName | TortureName, rest: Omit<Entry, 'name' | 'build'>, options: SceneOptions = {}): Entry {
  return { name, ...rest, build: (given) => buildScene(name, { ...options, ...given }) };
}

/** 94 % of the thickness that theory demands of 15 stones, over the mean radius (leastArchThickness of scenes/closed_forms.ts). */
const THIN_ARCH = 0.0999;
const ARCHES: Judged = { wide: [12.5, 0, 0], tall: [4, 0, -9] };

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
    isDressed: true,
    title: 'Chain of closed links',
    text: 'Closed rings of capsules, one fixed: contact and friction alone carry the chain. No joint is used.',
    figure: `${tonge}, "Chain" of figure 6`,
    camera: [2.5, 9, 21],
    target: [2.5, 5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
  }),
  entry('cardhouse', {
    tool: 'ball',
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
    above: 1.5,
    camera: [9, 9, 12],
    target: [0, 1, 0],
    toolSize: 0.3,
    throwSpeed: 15,
    count: [64, 1000, 1000],
  }),
  entry('fracture', {
    tool: 'ball',
    title: 'Fracture with a ball',
    text: 'Three columns cut into 277 Voronoi cells stand until a ball hits them. Debris of irregular shapes and very unequal masses.',
    figure: `${tonge}, figure 1 middle, and "Fracture" of figure 6`,
    camera: [9, 6, 12],
    target: [0, 2, 0],
    toolSize: 0.4,
    throwSpeed: 16,
  }),
  entry('wall', {
    tool: 'ball',
    title: 'Wall',
    text: '30 layers of 10 bricks, just touching. It should stand as if it were glued, and fall apart when hit.',
    camera: [9, 10, 25],
    target: [0, 6.5, 0],
    toolSize: 0.5,
    throwSpeed: 30,
  }),
  entry('pyramid', {
    tool: 'ball',
    title: 'Pyramid',
    text: '1,830 boxes, 60 in the lowest row: a long way for an impulse from the top to the ground.',
    camera: [20, 26, 68],
    target: [0, 22, 0],
    toolSize: 1.2,
    throwSpeed: 45,
  }),
  entry('boxes720', {
    tool: 'ball',
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
    above: 3,
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
    above: 3,
    camera: [12, 10, 16],
    target: [0, 1.5, 0],
    toolSize: 0.6,
    throwSpeed: 22,
    count: [100, 3000, 1000],
  }),
  entry('heap', {
    title: 'Heap of limbs',
    text: '1,950 capsules and boxes, as many bodies as 150 ragdolls have, without their joints.',
    above: 4,
    camera: [14, 12, 18],
    target: [0, 1.5, 0],
    toolSize: 0.5,
    throwSpeed: 22,
    count: [100, 1950, 1950],
  }),
  entry('ragdolls150', {
    title: 'Ragdolls',
    text: '150 ragdolls of 13 bodies on 12 joints (cones and hinges with human limits) fall on one heap. Anchors stay together, limits hold, and the heap comes to rest.',
    figure: 'Tsuda 2009, figures 2 and 4',
    above: 3,
    camera: [8, 9, 11],
    target: [0, 1.5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
    count: [10, 150, 150],
  }),
  entry('capsule-chain', {
    isDressed: true,
    title: 'Chain of capsules',
    text: '25 capsules on ball joints, held at one end. Drag it about.',
    camera: [3, 6, 14],
    target: [3, 3, 0],
    toolSize: 0.25,
    throwSpeed: 16,
  }),
  entry('hanging-chain', {
    isDressed: true,
    title: 'Heavy ball on a light chain',
    text: 'A ball of a thousand times the mass of a link hangs on 25 links. It should neither stretch the chain nor swing by itself.',
    camera: [6, -3, 17],
    target: [0, -6, 0],
    toolSize: 0.25,
    throwSpeed: 18,
  }),
  entry('bridge', {
    isDressed: true,
    title: 'Bridge of planks',
    text: '60 planks on hinges between two fixed ends carry 30 boxes of twice their mass.',
    camera: [8, 5, 20],
    target: [0, 0.5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
  }),
  entry('joint-grid', {
    isDressed: true,
    title: 'Net of spheres',
    text: '10,000 spheres on ball joints swing down like a cloth. Two corners hold all of it.',
    camera: [14, 4, 34],
    target: [0, -4, 6],
    toolSize: 0.5,
    throwSpeed: 25,
    count: [100, 10000, 10000],
    narrow: 1600,
  }),
  entry('car', {
    isDressed: true,
    title: 'Car over bumps',
    text: 'Four wheel joints: springs along the suspension, motors about the rear axles, steering in front. Drive it by the sliders of "Handles".',
    camera: [-50, 7, 16],
    target: [-42, 0.5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
    handles: [
      // A wheel that rolls towards +x turns about -z.
      {
        text: 'Speed, m/s',
        range: [-4, 12, 0.5],
        start: 5.25,
        joints: [2, 3],
        change: (speed) => ({ twist: { motor: { velocity: -speed / 0.35, maxForce: 400 } } }),
      },
      { text: 'Steering, rad', range: [-0.5, 0.5, 0.02], start: 0, joints: [0, 1], change: (steering) => ({ steering }) },
    ],
  }),
  entry('arm', {
    isDressed: true,
    title: 'Arm that lifts a load',
    text: 'Two hinges with motors and a rope. The first is driven by velocity, the second to an angle: move them by the sliders of "Handles".',
    camera: [2, 3.5, 8],
    target: [1, 2, 0],
    toolSize: 0.15,
    throwSpeed: 12,
    handles: [
      {
        text: 'Shoulder, rad/s',
        range: [-0.8, 0.8, 0.05],
        start: 0.4,
        joints: [0],
        change: (velocity) => ({ motor: { velocity } }),
      },
      {
        text: 'Elbow, degrees',
        range: [-120, 60, 5],
        start: 0,
        joints: [1],
        change: (angle) => ({ spring: { target: (angle / 180) * Math.PI } }),
      },
    ],
  }),
  entry('four-bar', {
    isDressed: true,
    title: 'Four-bar linkage',
    text: 'A closed loop of hinges: the crank goes round, the rocker back and forth.',
    camera: [1.5, 2, 5],
    target: [0.8, 1.3, 0],
    toolSize: 0.1,
    throwSpeed: 8,
    handles: [
      {
        text: 'Crank, rad/s',
        range: [-8, 8, 0.5],
        start: 2,
        joints: [0],
        change: (velocity) => ({ motor: { velocity } }),
      },
    ],
  }),
  entry('gear-train', {
    isDressed: true,
    title: 'Gear train',
    text: 'Five gears on hinges; the first is driven and the teeth are joints.',
    camera: [1.8, 2, 6],
    target: [1.8, 1, 0],
    toolSize: 0.1,
    throwSpeed: 8,
    handles: [
      {
        text: 'First gear, rad/s',
        range: [-10, 10, 0.5],
        start: 3,
        joints: [0],
        change: (velocity) => ({ motor: { velocity } }),
      },
    ],
  }),
  entry('pulley', {
    isDressed: true,
    title: 'Pulleys',
    text: 'Three against two on a plain rope, and a tackle of ratio two that balances.',
    camera: [3, 4, 9],
    target: [0, 2.5, 0],
    toolSize: 0.15,
    throwSpeed: 10,
  }),
  entry('course', {
    title: 'Character on a course',
    text: 'A character walks by itself: stairs, a slope beyond its limit and one within, a ferry, a carousel, a crate to push, a low ceiling, a ledge. Take over with W A S D or the arrows, jump with space, crouch with C.',
    camera: [-5.5, 3.6, 1.2],
    target: [0, 0.8, 0],
    toolSize: 0.2,
    throwSpeed: 12,
    steer: 'walk',
  }),
  entry('slopes', {
    title: 'Characters at slopes',
    text: 'Six characters walk at 3 m/s against smooth slopes of 45, 51, 60, 65, 75 and 85 degrees. Their limit is 50 degrees: only the one on the green slope gets up.',
    camera: [-9, 6.5, 10],
    target: [0.8, 0.6, 0.8],
    toolSize: 0.2,
    throwSpeed: 12,
  }),
  entry('circuit', {
    title: 'Car on a circuit',
    text: 'A car on rays for wheels drives its laps: springs, tires that slip, brakes, over hills and bumps. Take over with W A S D or the arrows; space is the handbrake.',
    camera: [-25, 5, 27],
    target: [-15.6, 0.9, 28.6],
    toolSize: 0.3,
    throwSpeed: 18,
    steer: 'drive',
  }),
  entry('conveyor', {
    title: 'Belts and a turntable',
    text: 'Surfaces that move although nothing moves. A lift takes crates up through a platform that lets them pass from below; a bar sends the tall ones down the short way. On the turntable everything stays where it was put.',
    camera: [7.5, 8.5, -10],
    target: [-0.6, 1.2, 0.6],
    toolSize: 0.17,
    throwSpeed: 10,
  }),
  entry('bullets', {
    title: 'Bullets at a wall',
    text: 'Steel balls at 40 to 400 m/s, up to seven meters a step, at bricks and at plates of 2 cm: none passes through what it hits. Click to fire your own at 300 m/s.',
    camera: [-12, 7, 22],
    target: [0.3, 0.9, 3.5],
    toolSize: 0.07,
    throwSpeed: 300,
    tool: 'ball',
    bullets: true,
  }),
  entry('strip', {
    title: 'Beams with bevelled rims',
    text: 'Boxes, pairs and prisms slide without friction over beams whose tops are level, at 1.5 to 8.9 m/s. Bevels on the far sides of the pits lie ahead of them, but they go past the rim: nothing is thrown up, nothing slows down.',
    camera: [-7, 5, 9],
    target: [3, 0.3, 0],
    toolSize: 0.2,
    throwSpeed: 10,
  }),
  entry('cradle', {
    title: "Newton's cradles",
    text: 'Balls of restitution 1, at 240 steps per second. Where they hang 2 cm apart, one pulled ball sends one off at the other end, and two send two. In front they touch: the impact goes through the whole row in one step. Columns of balls fall 2 m beside them. No impact adds energy.',
    camera: [-4.5, 5, 13.5],
    target: [-0.7, 1.3, 0],
    toolSize: 0.15,
    throwSpeed: 10,
  }),
  entry('euler-disc', {
    title: "Euler's disc",
    text: 'A disc and a coin roll on their rims without rolling resistance. The flatter they lie, the faster they go round: W² = 4 g / (R sin a) in the closed form. A wheel that leans by 20 degrees passes behind them at 5 m/s.',
    camera: [1.2, 2.3, 5.6],
    target: [0.6, 0.3, -0.5],
    toolSize: 0.1,
    throwSpeed: 6,
  }),
  entry('plates', {
    title: 'Light plates under heavy blocks',
    text: 'Three stacks of 20 plates of 1 kg carry blocks of 10, 100 and 1,000 kg. All of them stand, and the lighter two sink by less than 2 cm.',
    camera: [5, 7, 19],
    target: [0, 2.6, 0],
    toolSize: 0.3,
    throwSpeed: 15,
  }),
  entry('water', {
    title: 'Water',
    text: 'Crates from 150 to 850 kg/m3, balls, logs and boats with cargo float as deep as Archimedes says on water that sloshes. Stones lie on the ground. Drag something under.',
    camera: [9, 8.5, 13.5],
    target: [-0.3, 1.1, 0],
    toolSize: 0.3,
    throwSpeed: 12,
  }),
  entry('domino', {
    title: 'Domino run',
    text: '60 dominoes; the first is pushed. The speed of the wave is that of van Leeuwen (2010), who lets every tile push on those before it.',
    judged: { wide: [0, 0, -2], tall: [0, 0, -2] },
    camera: [-17, 12, 15],
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
  entry('arch', {
    tool: 'ball',
    title: 'Arch that stands',
    text: 'Fifteen stones without mortar, a little thicker than theory demands: the line of thrust stays inside the ring. Take a stone out, or throw something.',
    figure: 'Heyman 1969, and Milankovitch 1907',
    camera: [5, 5, 16],
    target: [0, 2.5, 0],
    toolSize: 0.3,
    throwSpeed: 16,
    judged: ARCHES,
  }),
  {
    ...entry(
      'arch',
      {
        title: 'Arch that falls',
        text: 'The same arch, 6 % thinner than theory demands. It has no line of thrust, so it must fall.',
        figure: 'Heyman 1969, and Milankovitch 1907',
        camera: [5, 5, 16],
        target: [0, 2.5, 0],
        toolSize: 0.3,
        throwSpeed: 16,
        judged: { ...ARCHES, thickness: THIN_ARCH },
      },
      { thickness: THIN_ARCH },
    ),
    name: 'arch-thin',
  },
  entry('gyroscope', {
    title: 'Gyroscope',
    text: 'A disc at 40 rad/s hangs by one end of its axis. It goes round instead of falling: W = m g r / (I w).',
    isDressed: true,
    camera: [1.6, 2.4, 3.4],
    target: [0, 1.2, 0],
    toolSize: 0.06,
    throwSpeed: 5,
    judged: { wide: [1.7, 0, 0], tall: [1.4, 0, 0] },
  }),
  entry('wrecking-ball', {
    title: 'Wrecking ball',
    text: 'A ball of a thousand times the mass of a link swings on 20 links from 45 degrees. Its period has a closed form, and a chain should not stretch.',
    isDressed: true,
    camera: [7, 9, 20],
    target: [0, 5, 0],
    toolSize: 0.3,
    throwSpeed: 18,
    judged: { wide: [0, 0, -3.5], tall: [0, 0, -3.5] },
  }),
  entry('racket', {
    title: 'Dzhanibekov effect',
    text: 'A handle in free flight spins about the axis of its middle moment of inertia: it turns over, again and again.',
    isDressed: true,
    camera: [1, 2.6, 2.6],
    target: [0, 1.9, 0],
    toolSize: 0.05,
    throwSpeed: 4,
    judged: { wide: [1.2, 0, 0], tall: [1, 0, 0] },
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
