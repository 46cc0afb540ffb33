// Drawings of how a program uses talus: the loop of a page, vectors, bindings to other libraries, threads of its own, entries, the debug view.
import { arrow, circle, dot, drawing, ground, label, line, path, poly, rect, spring, text } from './kit.mjs';

/** A box with a name and a line below it. */
const named = (x, y, w, h, cls, name, ...more) => [
  rect(x, y, w, h, cls, 8),
  label(x + w / 2, y + (more.length ? 24 : h / 2 + 5), name, 't-head'),
  more.map((words, i) => label(x + w / 2, y + 44 + 17 * i, words, 't-small t-soft')),
];

/** What a page does in each frame. */
export function loop() {
  return drawing(
    720,
    210,
    'The loop of a page',
    'In each frame you read the input, the world makes the steps that are due, meshes move to their bodies, and the picture is drawn.',
    named(24, 40, 146, 84, 'panel', 'your code', 'keys, forces,', 'what happens next'),
    arrow(172, 82, 200, 82),
    named(204, 40, 146, 84, 'body', 'steps', 'none, one or several,', '1/60 s each'),
    arrow(352, 82, 380, 82),
    named(384, 40, 146, 84, 'leaf', 'meshes', 'go where', 'their bodies are'),
    arrow(532, 82, 560, 82),
    named(564, 40, 132, 84, 'glow', 'picture', 'renderer.render'),
    path('M630 128 V158 H97 V132', 'soft dash'),
    arrow(97, 144, 97, 128, 'soft'),
    label(367, 174, 'requestAnimationFrame: once per frame of the screen', 't-small t-soft'),
    path('M204 28 H530', 'edge'),
    label(367, 22, 'physics.update(seconds)', 't-code t-edge'),
  );
}

/** Forms of vectors that calls take and fill. */
export function vectors() {
  const forms = ['[0, 5, 0]', '{ x: 0, y: 5, z: 0 }', 'new THREE.Vector3(0, 5, 0)', 'new Float32Array([0, 5, 0])'];
  return drawing(
    720,
    210,
    'Vectors',
    'Calls take arrays, typed arrays and objects with x, y and z, those of any library; getters fill whichever of them you pass as the last argument.',
    text(24, 32, 'Pass what you have', 't-head'),
    forms.map((form, i) => [
      rect(24, 46 + 36 * i, 214, 28, 'panel', 6),
      text(36, 65 + 36 * i, form, 't-code'),
      arrow(242, 60 + 36 * i, 290, 116, 'soft'),
    ]),
    named(296, 82, 170, 68, 'body', 'world', 'teleport(body, position)', 'getPosition(body, out)'),
    arrow(470, 116, 518, 116, 'good'),
    text(524, 32, 'Read into your own', 't-head'),
    rect(524, 70, 172, 92, 'leaf', 8),
    text(536, 92, 'out = mesh.position', 't-code'),
    text(536, 114, 'getPosition(id, out)', 't-code'),
    text(536, 140, 'filled and returned,', 't-small t-soft'),
    text(536, 155, 'nothing is allocated', 't-small t-soft'),
  );
}

const VIOLET = 'style="stroke: #9463c9"';
/** Colors of the debug view. */
export function debug() {
  const kinds = [
    ['good', 'awake', 'moves'],
    ['edge', 'asleep', 'costs nothing'],
    ['warm', 'kinematic', 'you move it'],
    ['soft', 'static', 'stays'],
    ['thin', 'sensor', 'only reports'],
  ];
  return drawing(
    720,
    220,
    'The debug view',
    'Outlines of colliders are green awake, blue asleep, orange kinematic, gray static and violet for sensors; contacts show points and normals, joints their anchors and axes.',
    kinds.map(([cls, name, about], i) => {
      const x = 56 + 92 * i;
      const strokes =
        rect(x - 26, 40, 52, 52, `${cls}`, 2) + line(x - 26, 40, x + 26, 92, cls) + line(x + 26, 40, x - 26, 92, cls);
      return [
        name === 'sensor' ? strokes.replaceAll('class="thin"', `class="thin" ${VIOLET}`) : strokes,
        label(x, 116, name, 't-head'),
        label(x, 134, about, 't-small t-soft'),
      ];
    }),
    rect(528, 52, 70, 44, 'body', 3),
    ground(504, 97, 118),
    dot(530, 97),
    dot(596, 97),
    arrow(530, 97, 530, 62, 'warm'),
    arrow(596, 97, 596, 62, 'warm'),
    label(563, 120, 'contacts', 't-head'),
    label(563, 138, 'points, normals', 't-small t-soft'),
    circle(662, 46, 4, 'edge'),
    line(662, 46, 650, 92, 'edge'),
    rect(632, 88, 36, 24, 'body', 3),
    label(660, 136, 'joints', 't-head'),
    text(24, 172, 'physics.attach(new DebugRenderer(world)); scene.add(debug)', 't-code'),
    text(24, 196, 'Half of all trouble is a collider that is not where its mesh is. Here you see it.', 't-small t-soft'),
  );
}

/** A world in a thread of its own. */
export function worker() {
  return drawing(
    720,
    220,
    'A world in a thread of its own',
    'The page sends calls and reads poses; the thread steps the world without waiting for the page.',
    named(24, 44, 240, 120, 'panel', 'page', 'input, meshes, picture', '', 'a slow frame here'),
    label(144, 150, 'does not delay the world', 't-small t-soft'),
    named(456, 44, 240, 120, 'body', 'thread', 'the world: steps by itself', '', 'a slow step there'),
    label(576, 150, 'does not delay the page', 't-small t-soft'),
    arrow(270, 74, 450, 74, 'edge'),
    label(360, 66, 'calls: createBody, applyImpulse', 't-small t-edge'),
    arrow(450, 108, 270, 108, 'good'),
    label(360, 100, 'poses, events: frame()', 't-small t-good'),
    arrow(450, 142, 270, 142, 'warm'),
    label(360, 134, 'answers: promises', 't-small t-warm'),
    text(24, 198, 'Each goes at its own pace. frame() finds the poses for the moment that you draw.', 't-small t-soft'),
  );
}

/** A mesh of three.js and its body. */
export function binding() {
  return drawing(
    720,
    230,
    'A mesh and its body',
    'physics.add reads shape, size and place from the mesh; each update writes the pose of the body to the mesh; with follow the mesh leads.',
    named(24, 50, 210, 120, 'leaf', 'THREE.Mesh', 'geometry: how it looks', 'position, quaternion', 'what you see'),
    named(486, 50, 210, 120, 'body', 'body', 'shape: how it collides', 'pose, velocity, mass', 'what the world moves'),
    arrow(240, 76, 480, 76, 'edge'),
    label(360, 68, 'physics.add(mesh, options)', 't-code'),
    label(360, 92, 'once: shape, size, place', 't-small t-soft'),
    arrow(480, 122, 240, 122, 'good'),
    label(360, 114, 'physics.update(seconds)', 't-code'),
    label(360, 138, 'each frame: position, quaternion', 't-small t-soft'),
    arrow(240, 158, 480, 158, 'warm dash'),
    label(360, 186, 'follow: true, the mesh leads a kinematic body', 't-small t-warm'),
    text(24, 214, 'To move a dynamic body, move the body: world.teleport, setVelocity, applyImpulse.', 't-small t-soft'),
  );
}

/** A plugin of an engine. */
export function plugin() {
  return drawing(
    720,
    200,
    'A plugin for the physics of an engine',
    'Your scene calls the physics of its engine; the plugin makes bodies, shapes and joints of those calls; plugin.world gives the rest.',
    named(24, 44, 190, 96, 'panel', 'your scene', 'bodies, shapes, joints', 'of Babylon.js or PlayCanvas'),
    arrow(218, 84, 262, 84),
    named(266, 44, 190, 96, 'glow', 'plugin', 'talus/babylon', 'talus/playcanvas'),
    arrow(460, 84, 504, 84),
    named(508, 44, 188, 96, 'body', 'world', 'steps, contacts,', 'joints, events'),
    path('M119 144 V168 H602 V150', 'soft dash'),
    arrow(602, 156, 602, 142, 'soft'),
    label(360, 186, 'what the engine has no call for, you call on the world itself', 't-small t-soft'),
  );
}

/** Components of React and what they make. */
export function react() {
  /** @type {[name: string, about: string, depth: number][]} */
  const rows = [
    ['<Physics>', 'a world that steps with the frames', 0],
    ['<RigidBody>', 'a body', 1],
    ['<mesh>', 'a collider of its geometry', 2],
    ['useHingeJoint(a, b, ...)', 'a joint', 1],
  ];
  return drawing(
    720,
    230,
    'Components and what they make',
    'Physics makes a world, each RigidBody a body, each mesh in it a collider, and hooks make joints; unmounting removes them.',
    text(24, 32, 'What you write', 't-head'),
    text(430, 32, 'What the world has', 't-head'),
    rows.map(([name, about, depth], i) => {
      const [x, y] = [24 + 34 * depth, 46 + 36 * i];
      return [
        depth ? path(`M${x - 20} ${y - 6} V${y + 14} H${x}`, 'thin') : '',
        rect(x, y, 210, 28, depth === 2 ? 'leaf' : 'panel', 6),
        text(x + 12, y + 19, name, 't-code'),
        arrow(x + 216, y + 14, 424, y + 14, 'soft'),
        rect(430, y, 266, 28, 'body', 6),
        text(442, y + 19, about, 't-small'),
      ];
    }),
    text(
      24,
      212,
      'Poses go straight to the objects of three.js. No component renders again because a body moved.',
      't-small t-soft',
    ),
  );
}

/** Nodes of a glTF file and what they become. */
export function gltf() {
  const rows = [
    ['node with a motion', 'a dynamic or kinematic body'],
    ['node with a collider', 'a collider of the body above it'],
    ['node with a joint', 'a joint between two bodies'],
    ['node with a trigger', 'a sensor, for events'],
  ];
  return drawing(
    720,
    230,
    'A glTF file with physics',
    'Nodes with a motion become bodies, nodes with a collider colliders of the body above them, joints joints, and triggers sensors.',
    text(24, 32, 'In the file', 't-head'),
    text(430, 32, 'In the world', 't-head'),
    rows.map(([name, about], i) => {
      const y = 46 + 36 * i;
      return [
        rect(24, y, 230, 28, 'panel', 6),
        text(36, y + 19, name, 't-small'),
        arrow(260, y + 14, 424, y + 14, 'soft'),
        rect(430, y, 266, 28, 'body', 6),
        text(442, y + 19, about, 't-small'),
      ];
    }),
    text(24, 212, 'A node without a motion is static: floors, walls, all that stays.', 't-small t-soft'),
  );
}

/** Entries of the package. */
export function entries() {
  const more = [
    ['talus/three', 'meshes'],
    ['talus/react', 'components'],
    ['talus/babylon', 'a plugin'],
    ['talus/playcanvas', 'a plugin'],
    ['talus/controllers', 'steering'],
    ['talus/rigs', 'ragdolls, ropes'],
    ['talus/gltf', 'physics in files'],
    ['talus/gpu', 'WebGPU'],
  ];
  return drawing(
    720,
    250,
    'Entries of the package',
    'talus has the engine with its core inside; talus/slim fetches the core as a file; all else is added by an import of its own.',
    named(24, 44, 190, 76, 'body', 'talus', 'the engine, core inside:', 'one import, it runs'),
    named(24, 140, 190, 76, 'panel', 'talus/slim', 'the same engine, which', 'fetches talus.wasm'),
    text(262, 34, 'Import what you need besides', 't-head'),
    more.map(([name, about], i) => {
      const [x, y] = [262 + 222 * (i % 2), 50 + 43 * Math.floor(i / 2)];
      return [
        rect(x, y, 210, 34, 'leaf', 6),
        text(x + 12, y + 22, name, 't-code'),
        text(x + 200, y + 22, about, 't-small t-soft', 'end'),
      ];
    }),
    arrow(256, 82, 220, 82, 'soft'),
    arrow(256, 178, 220, 178, 'soft'),
    text(262, 238, 'They share one engine, whichever of the two you chose.', 't-small t-soft'),
  );
}

/** Three common troubles and what helps. */
export function tuning() {
  const panel = (x, name, help) => [
    rect(x, 16, 216, 208, 'panel', 8),
    label(x + 108, 186, name, 't-head'),
    label(x + 108, 208, help, 't-small t-good'),
  ];
  return drawing(
    720,
    240,
    'Three common troubles',
    'Heavy bodies on light ones sink in: keep masses alike or use more substeps. Bodies made inside each other jump apart: place them apart. Crates of 100 units seem slow: use meters.',
    panel(16, 'heavy on light', 'masses alike, more substeps'),
    ground(44, 152, 160),
    rect(100, 124, 48, 28, 'glow'),
    rect(100, 100, 48, 28, 'glow'),
    rect(72, 40, 104, 64, 'body'),
    label(124, 77, '1000 kg'),
    text(156, 146, '1 kg', 't-small t-warm'),
    panel(252, 'made inside each other', 'place them apart'),
    ground(280, 152, 160),
    rect(312, 92, 60, 60, 'body'),
    rect(348, 72, 60, 60, 'ghost'),
    poly(
      [
        [348, 92],
        [372, 92],
        [372, 132],
        [348, 132],
      ],
      'glow',
    ),
    arrow(384, 96, 414, 56, 'warm'),
    panel(488, 'falls in slow motion', 'scale models to meters'),
    ground(516, 152, 160),
    rect(560, 34, 92, 92, 'ghost'),
    label(606, 84, '100 m', 't-edge'),
    circle(540, 141, 4, 'warm'),
    line(540, 145, 540, 152, 'warm'),
    text(520, 134, 'you', 't-small t-warm'),
  );
}

/** A door, a lift and a rope: what recipes are made of. */
export function recipes() {
  const panel = (x, name, about) => [
    rect(x, 16, 166, 178, 'panel', 8),
    label(x + 83, 158, name, 't-head'),
    label(x + 83, 178, about, 't-small t-soft'),
  ];
  return drawing(
    720,
    210,
    'What recipes are made of',
    'A door is a hinge with a limit and a spring; a lift is a kinematic body; dragging is a soft distance joint; a trigger is a sensor.',
    panel(16, 'door', 'hinge, limit, spring'),
    rect(46, 44, 12, 92, 'fixed'),
    poly(
      [
        [62, 46],
        [124, 62],
        [124, 132],
        [62, 134],
      ],
      'body',
    ),
    dot(61, 92),
    panel(190, 'lift', 'kinematic body'),
    rect(226, 98, 94, 14, 'glow'),
    rect(256, 62, 34, 34, 'body'),
    arrow(336, 128, 336, 50, 'warm'),
    panel(364, 'drag', 'soft distance joint'),
    rect(384, 90, 46, 46, 'body'),
    spring(416, 100, 486, 54, 'good'),
    dot(488, 53, 'good'),
    panel(538, 'trigger', 'sensor, events'),
    `<rect class="thin" ${VIOLET} x="580" y="44" width="84" height="92" rx="3" stroke-dasharray="4 3"/>`,
    circle(566, 92, 12, 'body'),
    arrow(582, 92, 628, 92, 'edge'),
  );
}
