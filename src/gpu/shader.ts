// The WGSL of all kernels as text, inlined at build time, and the resolver of `#import name` lines: each shared file is
// placed once, before its first use.

import collect from '../../shaders/collect.wgsl?raw';
import edit from '../../shaders/edit.wgsl?raw';
import finalise from '../../shaders/finalise.wgsl?raw';
import island from '../../shaders/island.wgsl?raw';
import islandJoints from '../../shaders/island_joints.wgsl?raw';
import joint from '../../shaders/joint.wgsl?raw';
import prepare from '../../shaders/prepare.wgsl?raw';
import bodyHash from '../../shaders/shared/body_hash.wgsl?raw';
import groups from '../../shaders/shared/groups.wgsl?raw';
import islandPasses from '../../shaders/shared/island_passes.wgsl?raw';
import jointAngles from '../../shaders/shared/joint_angles.wgsl?raw';
import jointAnswers from '../../shaders/shared/joint_answers.wgsl?raw';
import jointAxes from '../../shaders/shared/joint_axes.wgsl?raw';
import jointBlock from '../../shaders/shared/joint_block.wgsl?raw';
import jointDrive from '../../shaders/shared/joint_drive.wgsl?raw';
import joints from '../../shaders/shared/joints.wgsl?raw';
import layout from '../../shaders/shared/layout.generated.wgsl?raw';
import link from '../../shaders/shared/link.wgsl?raw';
import locks from '../../shaders/shared/locks.wgsl?raw';
import quaternion from '../../shaders/shared/quaternion.wgsl?raw';
import row from '../../shaders/shared/row.wgsl?raw';
import split from '../../shaders/shared/split.wgsl?raw';
import turnJoint from '../../shaders/shared/turn_joint.wgsl?raw';
import solve from '../../shaders/solve.wgsl?raw';
import spread from '../../shaders/spread.wgsl?raw';
import turn from '../../shaders/turn.wgsl?raw';

/** Files that others import, by the name in their `#import` line. */
export const sharedShaders: Record<string, string> = {
  body_hash: bodyHash,
  groups,
  island_passes: islandPasses,
  joint_angles: jointAngles,
  joint_answers: jointAnswers,
  joint_axes: jointAxes,
  joint_block: jointBlock,
  joint_drive: jointDrive,
  joints,
  layout,
  link,
  locks,
  quaternion,
  row,
  split,
  turn_joint: turnJoint,
};

/** Kernels of cell splitting: one entry point `main` each. */
export const kernels = { edit, spread, prepare, joint, turn, island, island_joints: islandJoints, solve, finalise, collect };

export type KernelName = keyof typeof kernels;

/** Returns the text of a shader with its imports in place. Throws on an unknown name. */
export function resolveShader(text: string, shared: Record<string, string> = sharedShaders, done = new Set<string>()): string {
  return text.replace(/^#import +(\S+)[ \t]*$/gm, (_, name: string) => {
    if (done.has(name)) return '';
    done.add(name);
    const imported = shared[name];
    if (imported === undefined) throw new Error(`#import ${name}: no such shader`);
    return resolveShader(imported, shared, done);
  });
}

/** Returns the complete WGSL of a kernel. */
export function kernelSource(name: KernelName): string {
  return resolveShader(kernels[name]);
}
