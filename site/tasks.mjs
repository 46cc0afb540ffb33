// The API reference by task: which members of World, and which exports of the package, belong to which task, and the example that stands
// with each. A member or an export that is in no task, or in two, fails the build of the site. Examples are blocks of docs/*.md, which
// tests run (tests/site/docs.test.ts, tests/package/engine_docs.test.ts): file, section, number in it, and how many lines if not all.

/**
 * `world`: members of World. `exports`: of `talus` (those of other entries are in ENTRIES). `guide`: the chapter.
 * @typedef {{ id: string, title: string, about: string, guide: string, example: [string, string, number, number?], world: string, exports: string }} Task
 */

/** @type {Task[]} */
export const TASKS = [
  {
    id: 'world',
    title: 'World and settings',
    about: 'Create a world, choose its settings, pass vectors, catch errors.',
    guide: 'steps',
    example: ['docs/api.md', 'Steps and settings', 0],
    world: 'settings set clone dispose',
    exports: `createWorld World WorldOptions WorldSettings Settings StepParameters PresetName SolverName ActiveSolver CloneOptions
      TalusError TalusErrorCode WarningCode WarningListener Vec3 Quat Vec3Sink QuatSink NumberSink WasmSource WasmModule`,
  },
  {
    id: 'shapes',
    title: 'Shapes',
    about: 'Describe geometry once, put it on bodies as colliders, choose materials and filters.',
    guide: 'shapes',
    example: ['docs/api.md', 'Shapes', 0],
    world: `createShape getShape removeShape addCollider getCollider setCollider removeCollider collidersOf bodyOf getMaterial setMaterial
      getContactRule setContactRule`,
    exports: `ShapeDesc SphereDesc BoxDesc CapsuleDesc CylinderDesc ConeDesc HullDesc MeshDesc HeightfieldDesc PlaneDesc ColliderDesc
      ColliderState MaterialDesc CombineRule ContactRule ShapeId ColliderId`,
  },
  {
    id: 'bodies',
    title: 'Bodies',
    about: 'Create and remove bodies; their type, mass, locks, sleep and data of yours.',
    guide: 'shapes',
    example: ['docs/api.md', 'Bodies', 0, 9],
    world: `createBody createBodies getBody removeBody isAlive bodyCount indexOf bodyAt getType setType getMass setMass getMassProperties
      getCenterOfMass getLocks setLocks isEnabled setEnabled sleep wake isAsleep sleepingCount getAllowSleep setAllowSleep getTag setTag
      getUserData setUserData`,
    exports: 'BodyDesc BodiesDesc BodyTraits BodyState BodyType MassDesc Locks BodyId',
  },
  {
    id: 'joints',
    title: 'Joints',
    about: 'Connect bodies: hinges, sliders, ropes, wheels and gears, with limits, motors and springs.',
    guide: 'joints',
    example: ['docs/api.md', 'Joints', 0],
    world: 'createJoint getJoint setJoint removeJoint hasJoint jointsOf jointCount',
    exports: `JointDesc JointType JointAxes JointAxis JointLimit JointMotor JointSpring JointChanges JointState JointStateSink JointId`,
  },
  {
    id: 'motion',
    title: 'Motion',
    about: 'Read and set poses and velocities; forces, impulses, kinematic bodies, explosions, water.',
    guide: 'motion',
    example: ['docs/api.md', 'Motion', 0],
    world: `getPosition getRotation getPose teleport moveKinematic getLinearVelocity setLinearVelocity getAngularVelocity setAngularVelocity
      setVelocity addForce addTorque applyImpulse applyAngularImpulse applyExplosion applyBuoyancy applyGravityField getGravityScale
      setGravityScale getLinearDamping getAngularDamping setDamping getSpeedLimits setSpeedLimits isBullet setBullet addController
      controllers shift`,
    exports: 'SpeedLimits Explosion Water GravityField Controller',
  },
  {
    id: 'events',
    title: 'Events',
    about: 'Hear of contacts, hits, sensors, sleep and broken joints.',
    guide: 'events',
    example: ['docs/api.md', 'Events', 0],
    world: 'on once off events getColliderEvents setColliderEvents',
    exports: `ContactEvents ContactEvent ContactEventKind ColliderEvents EventKind EVENT_KINDS EventListener EventMap BodyEvent BodyList
      JointBreakEvent`,
  },
  {
    id: 'queries',
    title: 'Queries',
    about: 'Cast rays and shapes, find overlaps and the closest point.',
    guide: 'queries',
    example: ['docs/api.md', 'Queries', 0],
    world: `castRay castRayAny castRayAll castRays castShape castShapeAny castShapeAll castShapes overlapShape overlapShapeAny overlapPoint
      overlapBounds closestPoint closestPointAll closestToShape contactShape contactPair readBounds`,
    exports: `QueryFilter RayOptions ShapeCastOptions DistanceOptions BatchOptions QueryHit QueryHitArrays BatchHits ShapeContact
      ShapeContactArrays createQueryHit createBatchHits createShapeContact`,
  },
  {
    id: 'frames',
    title: 'Frames',
    about: 'Step the world, and draw smooth pictures between two steps.',
    guide: 'steps',
    example: ['docs/api.md', 'Frames', 0],
    world: 'advance step stepAsync settle stepCount alpha readPoses readMatrices',
    exports: 'AdvanceOptions Frame PoseOptions MatrixOptions',
  },
  {
    id: 'state',
    title: 'State',
    about: 'Save and restore; views of all bodies, measures, debug lines, faults.',
    guide: 'rollback',
    example: ['docs/api.md', 'Saving, going back, comparing', 0],
    world: `snapshot restore hash positions rotations velocities tags slotCount slotsVersion posesVersion measure profile faults readContacts
      readDebugLines readJointLines readLabels`,
    exports: `SnapshotOptions Measures Profile Faults StoppedBody StopCause ContactArrays DebugLines DebugLineOptions DebugColor DebugColors
      JointLines JointLineOptions LabelKind LABEL_KINDS NO_LABEL`,
  },
  {
    id: 'threads',
    title: 'Threads',
    about: 'Step on several cores, or keep a whole world in a thread of its own.',
    guide: 'threads',
    example: ['docs/api.md', 'A world in a thread', 0],
    world: '',
    exports: 'ThreadCount ThreadChoiceName ThreadWorker',
  },
  {
    id: 'gpu',
    title: 'GPU',
    about: 'Solve contacts on WebGPU, see which backend runs, draw from its buffers.',
    guide: 'gpu',
    example: ['docs/api.md', 'Steps and settings', 1],
    world: 'setBackend activeBackend activeSolver backendReport gpuPoses',
    exports: 'BackendName BackendReport GpuPoses WebGpuDevice WebGpuBuffer DeviceLike BufferLike',
  },
];

/**
 * Entries of the package beside `talus`, by their folders. `task`: that their exports belong to; others have a place of their own on the
 * index, under `under`.
 */
export const ENTRIES = [
  { id: 'worker', name: 'talus/worker', task: 'threads' },
  {
    id: 'three',
    name: 'talus/three',
    under: 'adapters',
    title: 'three.js',
    about: 'Bodies of objects, objects of bodies.',
    guide: 'three',
  },
  {
    id: 'three_webgpu',
    name: 'talus/three/webgpu',
    under: 'adapters',
    title: 'three.js on WebGPU',
    about: 'Instances drawn straight from the buffers of the solver.',
    guide: 'three',
  },
  {
    id: 'react',
    name: 'talus/react',
    under: 'adapters',
    title: 'React Three Fiber',
    about: 'Components and hooks.',
    guide: 'react',
  },
  {
    id: 'babylon',
    name: 'talus/babylon',
    under: 'adapters',
    title: 'Babylon.js',
    about: 'A plugin for its physics.',
    guide: 'babylon',
  },
  {
    id: 'playcanvas',
    name: 'talus/playcanvas',
    under: 'adapters',
    title: 'PlayCanvas',
    about: 'Its rigid bodies, simulated by talus.',
    guide: 'playcanvas',
  },
  {
    id: 'gltf',
    name: 'talus/gltf',
    under: 'adapters',
    title: 'glTF',
    about: 'Physics that is stored in a model.',
    guide: 'gltf',
  },
  {
    id: 'controllers',
    name: 'talus/controllers',
    under: 'tools',
    title: 'Characters and vehicles',
    about: 'Movers that the world calls in each step.',
    guide: 'character',
  },
  {
    id: 'rigs',
    name: 'talus/rigs',
    under: 'tools',
    title: 'Ragdolls, chains and nets',
    about: 'Bodies and joints that belong together.',
    guide: 'rigs',
  },
  {
    id: 'slim',
    name: 'talus/slim',
    under: 'builds',
    title: 'Slim',
    about: 'The API of talus; the core is a file that you serve.',
    guide: 'packaging',
  },
  {
    id: 'slim/worker',
    name: 'talus/slim/worker',
    under: 'builds',
    title: 'Slim worker',
    about: 'A slim world in a thread of its own.',
    guide: 'packaging',
  },
  {
    id: 'study',
    name: 'talus/study',
    under: 'builds',
    title: 'Study',
    about: 'Published solver methods to compare.',
    guide: 'methods',
  },
];
export const KINDS_OF_ENTRIES = { adapters: 'Adapters', tools: 'Tools', builds: 'Other builds' };

/** Examples of pages, by their paths without `.html`. */
export const EXAMPLES_OF_PAGES = {
  'index/functions/createWorld': ['docs/api.md', 'Steps and settings', 0],
  'index/interfaces/BodyDesc': ['docs/api.md', 'Bodies', 0],
  'index/type-aliases/ShapeDesc': ['docs/api.md', 'Shapes', 0],
  'index/interfaces/JointDesc': ['docs/api.md', 'Joints', 0],
  'index/type-aliases/JointType': ['docs/api.md', 'Joints', 0],
  'index/interfaces/ContactRule': ['docs/api.md', 'Bodies', 3],
  'index/interfaces/Explosion': ['docs/api.md', 'Motion', 0],
  'index/interfaces/RayOptions': ['docs/api.md', 'Queries', 0],
  'index/interfaces/ContactEvents': ['docs/api.md', 'Events', 0],
  'index/interfaces/Controller': ['docs/controllers.md', 'Several, and your own', 0],
  'controllers/classes/Character': ['docs/controllers.md', 'Character', 0],
  'controllers/classes/Vehicle': ['docs/controllers.md', 'Vehicle', 0],
  'rigs/functions/createRagdoll': ['docs/rigs.md', 'Skeletons', 0],
  'rigs/functions/createChain': ['docs/rigs.md', '', 0],
  'worker/classes/TalusWorker': ['docs/api.md', 'A world in a thread', 0],
  'worker/classes/WorkerCharacter': ['docs/controllers.md', 'In a thread', 0],
  'three/classes/ThreePhysics': ['docs/three.md', '', 0],
  'three/classes/DebugRenderer': ['docs/three.md', 'The debug picture', 0],
  'three/functions/shapesFromGeometry': ['docs/three.md', 'Shapes', 0],
  'three_webgpu/classes/GpuInstances': ['docs/three.md', 'WebGPU', 0],
  'react/functions/Physics': ['docs/react.md', '', 0],
  'react/functions/RigidBody': ['docs/react.md', 'RigidBody', 0],
  'react/classes/RigidBodyApi': ['docs/react.md', 'RigidBody', 0],
  'react/functions/useHingeJoint': ['docs/react.md', 'Joints', 0],
  'react/functions/useJoint': ['docs/react.md', 'Joints', 0],
  'react/functions/InstancedRigidBodies': ['docs/react.md', 'Many bodies', 0],
  'react/functions/Character': ['docs/react.md', 'Character', 0],
  'react/functions/Vehicle': ['docs/react.md', 'Vehicle', 0],
  'react/functions/Ragdoll': ['docs/react.md', 'Ragdoll', 0],
  'react/functions/useFilterContactPair': ['docs/react.md', 'Filters', 0],
  'babylon/functions/createTalusPlugin': ['docs/babylon.md', '', 0],
  'babylon/classes/TalusPlugin': ['docs/babylon.md', '', 0],
  'playcanvas/functions/createTalusPhysics': ['docs/playcanvas.md', '', 0],
  'playcanvas/functions/createHeightfield': ['docs/playcanvas.md', 'Terrain', 0],
  'gltf/functions/loadPhysics': ['docs/gltf.md', '', 0],
  'gltf/classes/GltfPhysics': ['docs/gltf.md', 'Find things again', 0],
};

/** Groups of members of other large pages, in order; what is in none stands first if it is no method, else last. */
export const GROUPS_OF_PAGES = {
  'three/classes/ThreePhysics': {
    'Make and bind': 'add addScene bind bindSkeleton unbind remove follow shapes',
    'Each frame': 'update sync attach detach',
    'Find again': 'castRay bodiesOf objectOf instanceOf collidersOf has',
    'Move and end': 'shift dispose',
  },
  'react/classes/RigidBodyApi': {
    'Pose and velocity': `translation setTranslation rotation setRotation nextTranslation setNextKinematicTranslation nextRotation
      setNextKinematicRotation linvel setLinvel angvel setAngvel velocityAtPoint isMoving`,
    'Forces and impulses': `applyImpulse applyImpulseAtPoint applyTorqueImpulse addForce addForceAtPoint addTorque resetForces resetTorques
      userForce userTorque`,
    Mass: `mass invMass effectiveInvMass localCom worldCom setAdditionalMass setAdditionalMassProperties
      recomputeMassPropertiesFromColliders`,
    'Type and limits': `bodyType setBodyType isDynamic isKinematic isFixed isEnabled setEnabled lockTranslations lockRotations
      setEnabledTranslations setEnabledRotations gravityScale setGravityScale linearDamping setLinearDamping angularDamping setAngularDamping
      dominanceGroup setDominanceGroup enableCcd isCcdEnabled setSoftCcdPrediction setAdditionalSolverIterations`,
    Sleep: 'sleep wakeUp isSleeping',
    Colliders: 'collider numColliders',
    'Its life': 'isValid onChange',
  },
  'react/classes/ColliderApi': {
    'Shape and place': `halfExtents halfHeight radius translation rotation translationWrtParent setTranslationWrtParent rotationWrtParent
      setRotationWrtParent parent`,
    'Material and mass': `friction setFriction frictionCombineRule setFrictionCombineRule restitution setRestitution restitutionCombineRule
      setRestitutionCombineRule density setDensity setMass setContactSkin`,
    'Whom it meets': `collisionGroups setCollisionGroups setSolverGroups isSensor setSensor isEnabled setEnabled setActiveEvents activeHooks
      setActiveHooks setActiveCollisionTypes`,
    'Its life': 'isValid change',
  },
};

const words = (text) => text.split(/\s+/).filter(Boolean);
/** Names by task: `[Task, members of World, exports of talus]`. */
export const NAMES = TASKS.map((task) => ({ task, members: words(task.world), exports: words(task.exports) }));

/** Groups of a page of GROUPS_OF_PAGES, as those of NAMES: `{ title, members }`. */
export const groupsOf = (page) =>
  Object.entries(GROUPS_OF_PAGES[page] ?? {}).map(([title, members]) => ({ title, members: words(members) }));

/** The names of a list that are in no task or in several, and those of the tasks that are not in the list. */
export function misplaced(list, kind) {
  const placed = NAMES.flatMap((entry) => entry[kind]);
  return [
    ...list.filter((name) => placed.filter((other) => other === name).length !== 1),
    ...placed.filter((name) => !list.includes(name)),
  ];
}
