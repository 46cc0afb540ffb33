// Shared by all passes over joints: words of their rows, the scratch of one joint. Twin: shaders/shared/joint_block.wgsl.
import { dot3 } from '../math/lane';
import { splitState } from '../memory/split_state';
import { withoutFlushed } from '../rows/joint_angles';

/** Stands for infinity in the rows. */
export const MOST: f32 = 1e30;

export function jointScratch(): usize {
  return splitState().jointScratch;
}

export function jointRow(rows: usize, i: u32): v128 {
  return v128.load(rows + ((<usize>i) << 4));
}

export function putRow(rows: usize, i: u32, v: v128): void {
  v128.store(rows + ((<usize>i) << 4), v);
}

export function numberOf(rows: usize, i: u32, lane: u32): f32 {
  return load<f32>(rows + ((<usize>i) << 4) + ((<usize>lane) << 2));
}

export function setNumberOf(rows: usize, i: u32, lane: u32, value: f32): void {
  store<f32>(rows + ((<usize>i) << 4) + ((<usize>lane) << 2), value);
}

export function lockedOf(rows: usize): u32 {
  return <u32>numberOf(rows, 0, 2) & 63;
}

export function drivenOf(rows: usize): u32 {
  return <u32>numberOf(rows, 0, 2) >> 6;
}

export function kindOf(rows: usize): u32 {
  return <u32>numberOf(rows, 0, 3);
}

/** Root of a square, or 0 if adapters may flush it. */
export function rootOf(square: f32): f32 {
  return sqrt<f32>(withoutFlushed(square));
}

export function lengthOf(v: v128): f32 {
  return rootOf(dot3(v, v));
}
