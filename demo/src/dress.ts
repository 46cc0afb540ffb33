// What machines, chains and bridges wear: teeth, spokes, wheels, ropes, and what things hang from. Visuals only; loaded with the first
// scene that is dressed.
import { type Scene, STATIC, type Vec3 } from '../../scenes/types';
import type { Part } from './bodies_view';
import { Cast, type Neighbor, type Thing } from './cast';
import type { Dress } from './simulation';

type Quat = readonly [number, number, number, number];

const NONE: Quat = [0, 0, 0, 1];
const H = Math.SQRT1_2;
/** Lays what stands along y along z, along x. */
const TO_Z: Quat = [H, 0, 0, H];
const TO_X: Quat = [0, 0, -H, H];
/** Tones: grays of rubber, iron and bright steel. */
const RUBBER = -0.03;
const IRON = -0.09;
const STEEL = -0.38;
const ROPE = -0.16;
const WOOD = [150, 128, 104] as const;
const FRAME = [120, 128, 140] as const;

const box = (half: Vec3, position: Vec3, tone = 1, rotation: Quat = NONE): Part => ({
  shape: { type: 'box', halfExtents: half },
  position,
  rotation,
  tone,
});
const rod = (radius: number, halfHeight: number, position: Vec3, tone = 1, rotation: Quat = NONE): Part => ({
  shape: { type: 'cylinder', radius, halfHeight },
  position,
  rotation,
  tone,
});
/** About y. */
const yaw = (angle: number): Quat => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];

/** A cylinder between two points. */
function strut(from: Vec3, to: Vec3, radius: number, tone = 1): Part {
  const [middle, rotation, length] = between(from, to);
  return rod(radius, length / 2, middle, tone, rotation);
}

function between(from: Vec3, to: Vec3): [Vec3, Quat, number] {
  const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
  const length = Math.hypot(...d) || 1e-6;
  const middle: Vec3 = [from[0] + d[0] / 2, from[1] + d[1] / 2, from[2] + d[2] / 2];
  // From y to d by the shortest way.
  const w = 1 + d[1] / length;
  const q = w < 1e-6 ? [1, 0, 0, 0] : [d[2] / length, 0, -d[0] / length, w];
  const k = 1 / Math.hypot(...q);
  return [middle, [q[0]! * k, q[1]! * k, q[2]! * k, q[3]! * k], length];
}

/** Level ground at a height, for scenes that have none. */
const ground = (height: number): Thing => ({ parts: [box([400, 1, 400], [0, height - 1, 0])], color: null });

function rotate(q: ArrayLike<number>, v: Vec3): Vec3 {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

/** World position of a point of a body. */
function pointOf(simulation: Neighbor, body: number, local: Vec3): Vec3 {
  const slot = simulation.slotOf(body);
  const { positions, rotations } = simulation.world;
  const r = rotate(rotations.subarray(4 * slot, 4 * slot + 4), local);
  return [positions[4 * slot]! + r[0], positions[4 * slot + 1]! + r[1], positions[4 * slot + 2]! + r[2]];
}

type End = (simulation: Neighbor) => Vec3;
const still =
  (at: Vec3): End =>
  () =>
    at;
const onBody =
  (body: number, local: Vec3): End =>
  (simulation) =>
    pointOf(simulation, body, local);

interface Rope {
  from: End;
  to: End;
  /** As long as it ever gets; between nearer ends it sags, if it is told to. */
  longest: number;
  sags?: boolean;
}

const ROPE_RADIUS = 0.018;
const PIECE = 0.12;

/** Ropes of short pieces that overlap more or less: their length follows from where the ends are, and needs no other mesh. */
function ropes(list: readonly Rope[]): Cast {
  const counts = list.map(({ longest }) => Math.max(2, Math.ceil((1.02 * longest) / PIECE)));
  const things = counts.flatMap((count) =>
    Array.from({ length: count }, (): Thing => ({ parts: [rod(ROPE_RADIUS, 0.55 * PIECE, [0, 0, 0], ROPE)], color: FRAME })),
  );
  return new Cast(things, (cast, simulation) => {
    let slot = 0;
    list.forEach(({ from, to, longest, sags }, r) => {
      const [a, b] = [from(simulation), to(simulation)];
      const count = counts[r]!;
      const distance = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      // A parabola about as long as the rope.
      const sag = sags ? Math.sqrt(Math.max(0, 0.375 * distance * (longest - distance))) : 0;
      const at = (t: number): Vec3 => [
        a[0] + t * (b[0] - a[0]),
        a[1] + t * (b[1] - a[1]) - 4 * sag * t * (1 - t),
        a[2] + t * (b[2] - a[2]),
      ];
      const half = Math.min(0.5, (0.5 * PIECE) / Math.max(distance, PIECE));
      for (let i = 0; i < count; i++) {
        const t = half + (i / (count - 1)) * (1 - 2 * half);
        const [middle, rotation] = between(at(Math.max(0, t - half)), at(Math.min(1, t + half)));
        cast.place(slot++, middle, rotation);
      }
    });
  });
}

/** Half extents of a body that is a box. */
function halfOf(scene: Scene, body: number): Vec3 {
  const def = scene.shapes[scene.bodies.shape[body]!]!;
  return def.type === 'box' ? def.halfExtents : [0, 0, 0];
}

const placeOf = ({ bodies }: Scene, body: number): Vec3 => [
  bodies.position[3 * body]!,
  bodies.position[3 * body + 1]!,
  bodies.position[3 * body + 2]!,
];

/** Teeth per meter of radius: an even number on each gear of the scene, so that all of them mesh. */
const TEETH = 40;

function gearTrain(scene: Scene): Dress {
  const radius = (body: number) => {
    const def = scene.shapes[scene.bodies.shape[body]!]!;
    return def.type === 'cylinder' ? def.radius : 0;
  };
  const last = placeOf(scene, scene.bodies.count - 1)[0] + radius(scene.bodies.count - 1);
  const middle = (last - radius(0)) / 2;
  return {
    look(body) {
      const r = radius(body);
      const teeth = Math.round(TEETH * r);
      const parts = [
        rod(r - 0.045, 0.055, [0, 0, 0]),
        rod(0.62 * r, 0.062, [0, 0, 0], 0.8),
        rod(0.16 * r + 0.02, 0.1, [0, 0, 0], IRON),
      ];
      // Every second gear has a gap where its neighbors have a tooth.
      const phase = body % 2 === 0 ? 0 : Math.PI / teeth;
      for (let i = 0; i < teeth; i++) {
        const angle = phase + (2 * Math.PI * i) / teeth;
        parts.push(box([0.045, 0.055, 0.031], [(r - 0.005) * Math.cos(angle), 0, -(r - 0.005) * Math.sin(angle)], 1, yaw(angle)));
      }
      const holes = r > 0.4 ? 6 : 4;
      for (let i = 0; i < holes; i++) {
        const angle = (2 * Math.PI * i) / holes;
        parts.push(rod(0.12 * r, 0.065, [0.4 * r * Math.cos(angle), 0, 0.4 * r * Math.sin(angle)], i === 0 ? STEEL : IRON));
      }
      return parts;
    },
    casts: () => [
      new Cast([
        ground(-0.12),
        {
          parts: [
            box([middle + 0.55, 1.1, 0.05], [middle, 0.98, -0.22]),
            box([middle + 0.7, 0.06, 0.35], [middle, -0.06, -0.05], 0.8),
          ],
          color: FRAME,
        },
      ]),
    ],
  };
}

function fourBar(scene: Scene): Dress {
  const pins = [placeOfJoint(scene, 0), placeOfJoint(scene, 3)];
  return {
    look(body) {
      const [half] = halfOf(scene, body);
      // Neighbors lie one before the other.
      const z = body === 1 ? 0.09 : 0;
      const end = (x: number) => [rod(0.1, 0.045, [x, 0, z], 1, TO_Z), rod(0.035, 0.14, [x, 0, 0.04], IRON, TO_Z)];
      return [box([half, 0.055, 0.04], [0, 0, z]), ...end(half), ...end(-half)];
    },
    casts: () => [
      new Cast([
        ground(0),
        {
          parts: pins.flatMap(([x, y]) => [
            box([0.09, (y + 0.1) / 2, 0.05], [x, (y + 0.1) / 2, -0.16]),
            box([0.3, 0.04, 0.2], [x, 0.04, -0.16], 0.8),
            rod(0.06, 0.12, [x, y, -0.08], STEEL, TO_Z),
          ]),
          color: FRAME,
        },
      ]),
    ],
  };
}

/** Where a joint holds the world. */
function placeOfJoint(scene: Scene, joint: number): Vec3 {
  return scene.joints![joint]!.anchorA;
}

function arm(scene: Scene): Dress {
  const rope = scene.joints!.find(({ type }) => type === 'distance')!;
  return {
    look(body) {
      const half = halfOf(scene, body);
      const type = scene.bodies.type[body];
      if (type === STATIC) {
        if (half[0] > 1) return null;
        // Up to the shoulder, which is 0.2 m over the column.
        return [
          box(half, [0, 0, 0]),
          box([0.13, 0.16, 0.05], [0, half[1] + 0.1, 0.14]),
          box([0.13, 0.16, 0.05], [0, half[1] + 0.1, -0.14]),
          rod(0.15, 0.2, [0, half[1] + 0.2, 0], IRON, TO_Z),
          box([0.5, 0.06, 0.5], [0, 0.06 - half[1], 0], 0.8),
        ];
      }
      if (half[0] === half[1]) return [box(half, [0, 0, 0]), rod(0.04, 0.06, [0, half[1] + 0.04, 0], IRON)];
      return [
        box(half, [0, 0, 0]),
        rod(0.13, 0.09, [-half[0], 0, 0], 0.85, TO_Z),
        rod(0.13, 0.09, [half[0], 0, 0], 0.85, TO_Z),
        rod(0.05, 0.12, [half[0], 0, 0], IRON, TO_Z),
      ];
    },
    casts: () => [
      ropes([
        {
          from: onBody(rope.bodyA, rope.anchorA),
          to: onBody(rope.bodyB, rope.anchorB),
          longest: rope.limit?.max ?? rope.length ?? 1,
          sags: true,
        },
      ]),
    ],
  };
}

function pulley(scene: Scene): Dress {
  const joints = scene.joints!;
  const strands: Rope[] = [];
  const wheels: { center: Vec3; radius: number; joint: (typeof joints)[number] }[] = [];
  const arcs: Part[] = [];
  const small = 0.11;
  for (const joint of joints) {
    const [a, b] = [joint.groundA!, joint.groundB!];
    const radius = (b[0] - a[0]) / 2;
    const center: Vec3 = [a[0] + radius, a[1], a[2]];
    wheels.push({ center, radius, joint });
    // Over the wheel.
    const turns = 16;
    const on = (i: number): Vec3 => [
      center[0] - (radius + 0.01) * Math.cos((Math.PI * i) / turns),
      center[1] + (radius + 0.01) * Math.sin((Math.PI * i) / turns),
      center[2],
    ];
    for (let i = 0; i < turns; i++) arcs.push(strut(on(i), on(i + 1), ROPE_RADIUS, ROPE));
    const longest = joint.length! / joint.ratio! + 1;
    strands.push({ from: still(a), to: onBody(joint.bodyA, joint.anchorA), longest: joint.length! });
    if (joint.ratio === 1) strands.push({ from: still(b), to: onBody(joint.bodyB, joint.anchorB), longest });
    else {
      // A tackle: the rope goes under a wheel on the load and up again to the beam.
      const over = (side: number): Vec3 => [joint.anchorB[0] + side * small, joint.anchorB[1] + small, joint.anchorB[2]];
      const far: Vec3 = [b[0] + 2 * small, b[1] + radius + 0.3, b[2]];
      strands.push({ from: still(b), to: onBody(joint.bodyB, over(-1)), longest });
      strands.push({ from: still(far), to: onBody(joint.bodyB, over(1)), longest: longest + radius + 0.5 });
    }
  }
  const top = Math.max(...wheels.map(({ center, radius }) => center[1] + radius)) + 0.36;
  const wide = Math.max(...wheels.map(({ center }) => Math.abs(center[2])));
  return {
    look(body) {
      const half = halfOf(scene, body);
      if (scene.bodies.type[body] === STATIC) return null;
      const tackle = joints.find((joint) => joint.bodyB === body && joint.ratio !== 1);
      if (!tackle) return [box(half, [0, 0, 0]), rod(0.03, 0.04, [0, half[1] + 0.02, 0], IRON)];
      return [
        box(half, [0, 0, 0]),
        rod(small, 0.03, [0, half[1] + small, 0], IRON, TO_Z),
        box([0.02, 0.07, 0.05], [0, half[1] + 0.05, 0], STEEL),
      ];
    },
    casts: () => [
      ropes(strands),
      new Cast([
        {
          parts: [
            ...arcs,
            ...[-1, 1].flatMap((side) => [
              box([0.08, top / 2, 0.08], [1.7 * side, top / 2, 0]),
              box([0.3, 0.05, 0.7], [1.7 * side, 0.05, 0], 0.8),
            ]),
            box([1.78, 0.08, 0.08], [0, top, 0]),
            box([0.08, 0.08, wide + 0.2], [0, top, 0]),
            ...wheels.flatMap(({ center, radius }) => [
              box([0.03, (radius + 0.36) / 2, 0.015], [center[0], center[1] + (radius + 0.36) / 2, center[2] + 0.08], IRON),
              rod(0.05, 0.11, center, STEEL, TO_Z),
              ...(radius ? [box([0.34, 0.05, 0.05], [center[0] + 0.6, top - 0.02, center[2]], 0.9)] : []),
            ]),
          ],
          color: FRAME,
        },
      ]),
      new Cast(
        wheels.map(({ center, radius }) => ({
          parts: [
            rod(radius - 0.02, 0.03, [0, 0, 0], 0.9),
            rod(radius + 0.035, 0.012, [0, 0.04, 0]),
            rod(radius + 0.035, 0.012, [0, -0.04, 0]),
            ...Array.from({ length: 5 }, (_, i): Part => {
              const angle = (2 * Math.PI * i) / 5;
              return rod(
                0.2 * radius,
                0.056,
                [0.58 * radius * Math.cos(angle), 0, 0.58 * radius * Math.sin(angle)],
                i === 0 ? IRON : 0.45,
              );
            }),
          ],
          color: WOOD,
          position: center,
          rotation: TO_Z,
        })),
        (cast, simulation) => {
          wheels.forEach(({ center, radius, joint }, slot) => {
            const hangs = joint.groundA![1] - pointOf(simulation, joint.bodyA, joint.anchorA)[1];
            // About z, as far as the rope has run over the wheel.
            const turn = hangs / radius / 2;
            const [s, c] = [Math.sin(turn), Math.cos(turn)];
            cast.place(slot, center, [H * c, H * s, H * s, H * c]);
          });
        },
      ),
    ],
  };
}

/** A wheel with its axis along y. */
function wheelParts(radius: number, half: number): Part[] {
  const rim = 0.64 * radius;
  const parts = [
    rod(radius, half, [0, 0, 0], RUBBER),
    rod(rim, half + 0.004, [0, 0, 0], IRON),
    rod(0.2 * radius, half + 0.02, [0, 0, 0], STEEL),
  ];
  for (let i = 0; i < 5; i++) {
    const angle = (2 * Math.PI * i) / 5;
    parts.push(
      box(
        [rim / 2, half + 0.01, 0.12 * radius],
        [(rim / 2) * Math.cos(angle), 0, -(rim / 2) * Math.sin(angle)],
        STEEL,
        yaw(angle),
      ),
    );
  }
  return parts;
}

function car(scene: Scene): Dress {
  const { bodies, shapes } = scene;
  const body = bodies.type.findIndex((type) => type !== STATIC);
  return {
    focus: body,
    look(i) {
      if (bodies.type[i] === STATIC) return null;
      const def = shapes[bodies.shape[i]!]!;
      if (def.type === 'cylinder') return wheelParts(def.radius, def.halfHeight);
      const GLASS = -0.02;
      return [
        box([1.9, 0.16, 0.8], [0, -0.08, 0]),
        box([0.78, 0.07, 0.76], [1.08, 0.13, 0], 0.95),
        box([0.45, 0.09, 0.76], [-1.42, 0.15, 0], 0.95),
        // The cabin: windows all round, with pillars and a roof.
        box([0.82, 0.2, 0.66], [-0.28, 0.33, 0], GLASS),
        box([0.66, 0.035, 0.68], [-0.34, 0.55, 0]),
        ...[-1, 1].flatMap((side) => [
          box([0.04, 0.22, 0.03], [0.48, 0.34, 0.66 * side], 1, [0, 0, 0.19, 0.98]),
          box([0.04, 0.22, 0.03], [-1.06, 0.34, 0.66 * side]),
          box([0.04, 0.22, 0.03], [-0.3, 0.34, 0.665 * side]),
          rod(0.1, 0.02, [1.9, -0.02, 0.55 * side], -0.9, TO_X),
          box([0.02, 0.05, 0.14], [-1.9, -0.02, 0.58 * side], 0.5),
        ]),
        box([0.04, 0.07, 0.74], [1.92, -0.18, 0], IRON),
        box([0.04, 0.07, 0.74], [-1.92, -0.18, 0], IRON),
        box([1.75, 0.06, 0.5], [0, -0.26, 0], RUBBER),
      ];
    },
    casts: () => [],
  };
}

function bridge(scene: Scene): Dress {
  const joints = scene.joints!;
  const [first, last] = [joints[0]!.anchorA, joints.find(({ bodyA }, k) => bodyA < 0 && k > 0)!.anchorA];
  const deep = -3.2;
  const bank = ([x, y]: Vec3, side: number): Part[] => [
    box([1.5, (y - deep) / 2, 1.6], [x + 1.56 * side, (y + deep) / 2, 0], 0.9),
    box([1.52, 0.06, 1.62], [x + 1.56 * side, y - 0.02, 0]),
    ...[-1, 1].map((z) => box([0.1, 0.5, 0.1], [x + 0.25 * side, y + 0.5, 1.12 * z], IRON)),
  ];
  return {
    look: () => null,
    casts: () => [new Cast([ground(deep), { parts: [...bank(first, -1), ...bank(last, 1)], color: WOOD }])],
  };
}

/** A post with an arm that holds a point from behind. */
function gallows([x, y, z]: Vec3, low: number, back: number, thick = 0.09): Part[] {
  return [
    box([thick, (y - low) / 2 + 0.3, thick], [x, (y + low) / 2 + 0.3, z - back]),
    box([thick, thick, back / 2 + 0.1], [x, y + 0.25, z - back / 2], 0.95),
    rod(0.03, 0.16, [x, y + 0.12, z], IRON),
    strut([x, y - 0.5 * back, z - back], [x, y + 0.2, z - 0.3 * back], 0.6 * thick, 0.85),
    box([0.5, 0.06, 0.5], [x, low + 0.06, z - back], 0.8),
  ];
}

/** Something hangs from a point: what holds it, on ground of its own if it has to be said. */
function hanging(at: Vec3, low: number, back: number, own: boolean, thick?: number): Dress {
  return {
    look: () => null,
    casts: () => [new Cast([...(own ? [ground(low)] : []), { parts: gallows(at, low, back, thick), color: FRAME }])],
  };
}

function hangingChain(scene: Scene): Dress {
  const low = Math.min(...scene.bodies.position.filter((_, k) => k % 3 === 1)) - 1;
  return hanging(placeOfJoint(scene, 0), low, 1.2, true, 0.12);
}

function jointGrid(scene: Scene): Dress {
  const { bodies } = scene;
  const held = Array.from({ length: bodies.count }, (_, i) => i).filter((i) => bodies.type[i] === STATIC);
  const low = -1.25 * Math.max(...held.map((i) => Math.abs(placeOf(scene, i)[0]))) * 2;
  return {
    look: (body) => (held.includes(body) ? [rod(0.14, 0.14, [0, 0, 0], IRON)] : null),
    casts: () => [
      new Cast([
        ground(low),
        {
          parts: held.flatMap((i) => {
            const [x, y, z] = placeOf(scene, i);
            return [rod(0.12, (y - low) / 2, [x, (y + low) / 2, z]), rod(0.5, 0.06, [x, low + 0.06, z], 0.8)];
          }),
          color: FRAME,
        },
      ]),
    ],
  };
}

function gyroscope(scene: Scene): Dress {
  const joint = scene.joints![0]!;
  const [x, y, z] = joint.anchorA;
  const def = scene.shapes[scene.bodies.shape[0]!]!;
  const [radius, half] = def.type === 'cylinder' ? [def.radius, def.halfHeight] : [0, 0];
  return {
    look: () => [
      rod(radius, half, [0, 0, 0]),
      rod(0.78 * radius, half + 0.003, [0, 0, 0], 0.8),
      rod(0.15 * radius, half + 0.02, [0, 0, 0], STEEL),
      ...[0, 1, 2].map((i) => {
        const angle = (2 * Math.PI * i) / 3;
        return rod(
          0.16 * radius,
          half + 0.006,
          [0.5 * radius * Math.cos(angle), 0, 0.5 * radius * Math.sin(angle)],
          i === 0 ? -0.7 : IRON,
        );
      }),
      strut(joint.anchorB, [0, 0, 0], 0.016, STEEL),
    ],
    casts: () => [
      new Cast([
        ground(0),
        {
          parts: [
            { shape: { type: 'cone', radius: 0.22, halfHeight: y / 2 }, position: [x, y / 2, z], rotation: NONE },
            rod(0.32, 0.04, [x, 0.04, z], 0.8),
          ],
          color: FRAME,
        },
      ]),
    ],
  };
}

function racket(): Dress {
  return {
    look: () => [
      box([0.3, 0.05, 0.05], [0, 0, 0]),
      box([0.05, 0.15, 0.05], [0, -0.2, 0], 0.8),
      box([0.06, 0.052, 0.052], [0.25, 0, 0], IRON),
      box([0.052, 0.03, 0.052], [0, -0.31, 0], STEEL),
    ],
    casts: () => [new Cast([ground(0)])],
  };
}

function closedLinks(scene: Scene): Dress {
  const [x, y, z] = placeOf(scene, 0);
  const post = x - 1;
  return {
    look: () => null,
    casts: () => [
      new Cast([
        {
          parts: [
            box([0.1, y / 2 + 0.15, 0.1], [post, y / 2 + 0.15, z]),
            box([0.3, 0.05, 0.05], [post + 0.35, y, z], 0.9),
            strut([post, y - 0.7, z], [post + 0.5, y, z], 0.05, 0.85),
            box([0.5, 0.06, 0.5], [post, 0.06, z], 0.8),
          ],
          color: FRAME,
        },
      ]),
    ],
  };
}

const DRESSES: Readonly<Record<string, (scene: Scene) => Dress>> = {
  'gear-train': gearTrain,
  'four-bar': fourBar,
  arm,
  pulley,
  car,
  bridge,
  chain: closedLinks,
  'capsule-chain': (scene) => hanging(placeOfJoint(scene, 0), 0, 0.9, false),
  'hanging-chain': hangingChain,
  'joint-grid': jointGrid,
  gyroscope,
  'wrecking-ball': (scene) => hanging(placeOfJoint(scene, 0), -1, 2, true, 0.16),
  racket,
};

/** What a scene wears; null for most. */
export function dressOf(scene: Scene): Dress | null {
  return DRESSES[scene.name]?.(scene) ?? null;
}
