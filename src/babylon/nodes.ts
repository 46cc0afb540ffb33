// Copies poses between bodies and their nodes in Babylon.js: single nodes, with or without a parent, and thin instances.
import { Matrix, Quaternion, TmpVectors, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { PhysicsPrestepType as Prestep } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { TalusError } from '../checks/errors';
import type { World } from '../index';
import type { BodyData } from './bodies';
import type { Origin } from './origin';

const MATRIX = 16;

/** Poses of the thin instances of a mesh. */
export interface Instances {
  /** Slots of their bodies. */
  slots: Uint32Array;
  /** Scale of each instance: bodies have none. */
  scales: Float32Array;
  /** Matrices as last written. */
  drawn: Float32Array;
}

/** Returns the matrices of the thin instances of a mesh, and their number. */
export function instancesOf(mesh: Mesh): { matrices: Float32Array; count: number } {
  const { matrixData, instancesCount } = mesh._thinInstanceDataStorage;
  if (!matrixData) throw new TalusError('invalid-argument', `${mesh.name} has no matrices of thin instances`);
  return { matrices: matrixData, count: instancesCount };
}

/** Reads position and rotation of instance `index` into `position` and `rotation`. */
export function readInstance(matrices: Float32Array, index: number, position: Vector3, rotation: Quaternion): void {
  const matrix = Matrix.FromArrayToRef(matrices, MATRIX * index, TmpVectors.Matrix[0]!);
  matrix.decompose(undefined, rotation, position);
}

/** Creates the record of the instances of a mesh. */
export function newInstances(world: World, bodies: readonly BodyData[], matrices: Float32Array): Instances {
  const count = bodies.length;
  const scales = new Float32Array(3 * count);
  for (let i = 0; i < 3 * count; i++) {
    const at = MATRIX * Math.floor(i / 3) + 4 * (i % 3);
    scales[i] = Math.hypot(matrices[at]!, matrices[at + 1]!, matrices[at + 2]!);
  }
  return {
    slots: Uint32Array.from(bodies, (body) => world.indexOf(body.id)),
    scales,
    drawn: matrices.slice(0, MATRIX * count),
  };
}

/** Reads the pose of a node in the world. */
function poseOf(node: TransformNode, position: Vector3, rotation: Quaternion): void {
  if (node.parent) {
    node.computeWorldMatrix(true);
    position.copyFrom(node.absolutePosition);
    rotation.copyFrom(node.absoluteRotationQuaternion);
    return;
  }
  position.copyFrom(node.position);
  if (node.rotationQuaternion) rotation.copyFrom(node.rotationQuaternion);
  else Quaternion.FromEulerVectorToRef(node.rotation, rotation);
}

export class Nodes {
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  readonly instances = new WeakMap<PhysicsBody, Instances>();

  constructor(
    private readonly world: World,
    private readonly origin: Origin,
  ) {}

  /** Before a step: moves bodies to the places of nodes that the caller has moved, unless their pre-step is disabled. */
  read(body: PhysicsBody, node: TransformNode, aim: (data: BodyData, position: Vector3, rotation: Quaternion) => void): void {
    const { position, rotation } = this;
    const isAimed = body.getPrestepType() === Prestep.ACTION;
    const kept = this.instances.get(body);
    if (kept) {
      const { matrices } = instancesOf(node as Mesh);
      (body._pluginDataInstances as BodyData[]).forEach((data, index) => {
        const [from, to] = [MATRIX * index, MATRIX * (index + 1)];
        let isMoved = isAimed;
        for (let i = from; i < to && !isMoved; i++) isMoved = matrices[i] !== kept.drawn[i];
        if (!isMoved) return;
        readInstance(matrices, index, position, rotation);
        if (isAimed) aim(data, position, rotation);
        else this.world.teleport(data.id, this.origin.enter(position), rotation);
        kept.drawn.set(matrices.subarray(from, to), from);
      });
      return;
    }
    const data = body._pluginData as BodyData | undefined;
    if (!data?.isAlive) return;
    poseOf(node, position, rotation);
    if (isAimed) aim(data, position, rotation);
    else if (data.isMoved(position, rotation)) {
      this.world.teleport(data.id, this.origin.enter(position), rotation);
      data.remember(position, rotation);
    }
  }

  /** Moves a node to the interpolated pose of its body, between the last two steps at `alpha`. */
  write(body: PhysicsBody, node: TransformNode, alpha: number): void {
    const { position, rotation, world } = this;
    const kept = this.instances.get(body);
    if (kept) {
      const { matrices } = instancesOf(node as Mesh);
      world.readMatrices(matrices, { bodies: kept.slots, scales: kept.scales, alpha });
      this.origin.moveMatricesOut(matrices, kept.slots.length);
      kept.drawn.set(matrices.subarray(0, kept.drawn.length));
      (node as Mesh).thinInstanceBufferUpdated('matrix');
      return;
    }
    const data = body._pluginData as BodyData | undefined;
    if (!data?.isAlive) return;
    world.getPose(data.id, position, rotation, alpha);
    this.origin.moveOut(position);
    const parent = node.parent as TransformNode | null;
    if (parent && !parent.computeWorldMatrix(true).isIdentity()) {
      // The pose as its parent sees it; what the node is scaled by stays.
      const [world_, local, own] = [TmpVectors.Matrix[0]!, TmpVectors.Matrix[1]!, TmpVectors.Quaternion[0]!];
      Matrix.ComposeToRef(node.absoluteScaling, rotation, position, world_);
      parent.getWorldMatrix().invertToRef(local);
      world_.multiplyToRef(local, local);
      local.decompose(undefined, own, node.position);
      setRotation(node, own);
      node.computeWorldMatrix(true);
      poseOf(node, position, rotation);
    } else {
      node.position.copyFrom(position);
      setRotation(node, rotation);
    }
    data.remember(position, rotation);
  }
}

function setRotation(node: TransformNode, rotation: Quaternion): void {
  if (node.rotationQuaternion) node.rotationQuaternion.copyFrom(rotation);
  else rotation.toEulerAnglesToRef(node.rotation);
}
