// Havok by its plain calls, with its standard settings and no damping.
import HavokPhysics from '@babylonjs/havok';
import wasmUrl from '@babylonjs/havok/lib/esm/HavokPhysics.wasm?url';
import { DYNAMIC, type Scene } from '../../../scenes/types';
import { four, type Rival, type RivalOptions, three } from './rival';

type Module = Awaited<ReturnType<typeof HavokPhysics>>;
let module: Promise<Module> | null = null;

/** The value of a call that answers [code, value]. */
function value<T>([code, result]: [unknown, T], what: string): T {
  if (String(code) !== '0' && (code as { value?: number })?.value !== 0) throw new Error(`Havok could not make a ${what}.`);
  return result;
}

export async function openHavok(scene: Scene, { sleep }: RivalOptions): Promise<Rival> {
  module ??= HavokPhysics({ locateFile: () => wasmUrl });
  const hp = await module;
  const world = value(hp.HP_World_Create(), 'world');
  hp.HP_World_SetGravity(world, [...scene.gravity]);
  hp.HP_World_SetIdealStepTime(world, scene.dt);
  const { bodies, shapes } = scene;
  const made = new Map<number, ReturnType<typeof shapeOf>>();

  function shapeOf(index: number) {
    const def = shapes[index]!;
    switch (def.type) {
      case 'sphere':
        return value(hp.HP_Shape_CreateSphere([0, 0, 0], def.radius), 'sphere');
      case 'capsule':
        return value(hp.HP_Shape_CreateCapsule([0, -def.halfHeight, 0], [0, def.halfHeight, 0], def.radius), 'capsule');
      case 'cylinder':
        return value(hp.HP_Shape_CreateCylinder([0, -def.halfHeight, 0], [0, def.halfHeight, 0], def.radius), 'cylinder');
      case 'box': {
        const [x, y, z] = def.halfExtents;
        return value(hp.HP_Shape_CreateBox([0, 0, 0], [0, 0, 0, 1], [2 * x, 2 * y, 2 * z]), 'box');
      }
      case 'hull': {
        const at = hp._malloc(def.points.byteLength);
        new Float32Array(hp.HEAPU8.buffer, at, def.points.length).set(def.points);
        const id = value(hp.HP_Shape_CreateConvexHull(at, def.points.length / 3), 'hull');
        hp._free(at);
        return id;
      }
      default:
        throw new Error(`Havok has no '${def.type}' here.`);
    }
  }
  const materialOf = (i: number, id: ReturnType<typeof shapeOf>) => {
    const combine = hp.MaterialCombine.ARITHMETIC_MEAN;
    hp.HP_Shape_SetMaterial(id, [bodies.friction[i]!, bodies.friction[i]!, bodies.restitution[i]!, combine, combine]);
    hp.HP_Shape_SetDensity(id, bodies.density[i]!);
    return id;
  };
  const once = (i: number, index: number) => {
    const found = made.get(index);
    if (found) return found;
    const def = shapes[index]!;
    let id: ReturnType<typeof shapeOf>;
    if (def.type === 'compound') {
      id = value(hp.HP_Shape_CreateContainer(), 'container');
      for (const { shape, position, rotation } of def.children) {
        hp.HP_Shape_AddChild(id, materialOf(i, shapeOf(shape)), [[...position], [...rotation], [1, 1, 1]]);
      }
      hp.HP_Shape_SetDensity(id, bodies.density[i]!);
    } else id = materialOf(i, shapeOf(index));
    made.set(index, id);
    return id;
  };
  const { STATIC, DYNAMIC: FREE } = hp.MotionType;
  const list = Array.from({ length: bodies.count }, (_, i) => {
    const moves = bodies.type[i] === DYNAMIC;
    const shape = once(i, bodies.shape[i]!);
    const id = value(hp.HP_Body_Create(), 'body');
    hp.HP_Body_SetShape(id, shape);
    if (moves) hp.HP_Body_SetMassProperties(id, value(hp.HP_Shape_BuildMassProperties(shape), 'mass'));
    hp.HP_Body_SetMotionType(id, moves ? FREE : STATIC);
    hp.HP_Body_SetQTransform(id, [three(bodies.position, i), four(bodies.rotation, i)]);
    hp.HP_World_AddBody(world, id, false);
    if (moves) {
      hp.HP_Body_SetLinearDamping(id, 0);
      hp.HP_Body_SetAngularDamping(id, 0);
      if (!sleep) hp.HP_Body_SetActivationControl(id, hp.ActivationControl.ALWAYS_ACTIVE);
      hp.HP_Body_SetLinearVelocity(id, three(bodies.linearVelocity, i));
      hp.HP_Body_SetAngularVelocity(id, three(bodies.angularVelocity, i));
    }
    return id;
  });
  const ground = value(hp.HP_Body_Create(), 'body');
  hp.HP_Body_SetMotionType(ground, STATIC);
  hp.HP_Body_SetQTransform(ground, [
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  hp.HP_World_AddBody(world, ground, false);
  const constraints = (scene.joints ?? []).map((joint) => {
    if (joint.type !== 'ball') throw new Error(`Havok has no '${joint.type}' joint here.`);
    const id = value(hp.HP_Constraint_Create(), 'constraint');
    hp.HP_Constraint_SetParentBody(id, list[joint.bodyA] ?? ground);
    hp.HP_Constraint_SetChildBody(id, list[joint.bodyB]!);
    hp.HP_Constraint_SetAnchorInParent(id, [...joint.anchorA], [1, 0, 0], [0, 1, 0]);
    hp.HP_Constraint_SetAnchorInChild(id, [...joint.anchorB], [1, 0, 0], [0, 1, 0]);
    for (const axis of ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z'] as const) {
      hp.HP_Constraint_SetAxisMode(id, hp.ConstraintAxis[axis], hp.ConstraintAxisLimitMode.LOCKED);
    }
    hp.HP_Constraint_SetCollisionsEnabled(id, joint.collide ? 1 : 0);
    hp.HP_Constraint_SetEnabled(id, 1);
    return id;
  });
  return {
    name: 'Havok',
    step: () => {
      hp.HP_World_Step(world, scene.dt);
    },
    read(positions, rotations) {
      list.forEach((id, i) => {
        const [p, q] = hp.HP_Body_GetQTransform(id)[1];
        positions.set(p, 4 * i);
        rotations.set(q, 4 * i);
      });
    },
    dispose() {
      for (const id of constraints) hp.HP_Constraint_Release(id);
      for (const id of [...list, ground]) {
        hp.HP_World_RemoveBody(world, id);
        hp.HP_Body_Release(id);
      }
      hp.HP_World_Release(world);
    },
  };
}
