// What all passes over joints need: words of their rows, the scratch of one joint. Twin: shaders/shared/joint_block.wgsl.
import { dot3 } from '../math/lane';
import { splitState } from '../memory/split_state';

/** What infinity is to the rows. */
export const MOST: f32 = 1e30;
export const PI: f32 = 3.1415927;

// Scratch, bytes.
export const OLD: usize = 0; // PA TA PB TB
export const NEW: usize = 64;
export const COLUMNS: usize = 128; // of a rotation
export const LINEAR: usize = 192; // basis of the linear axes
export const ANGULAR: usize = 240; // of the angular ones; lane 3 of the third: 1 / its square
export const CONE: usize = 288; // direction in which the cone pushes; lane 3: swing
export const PLACES: usize = 304; // of axes 0-2
export const ANGLES: usize = 320; // of axes 3-5
export const GAP: usize = 336; // of the locked linear axes
export const TURN: usize = 352; // of the locked angular axes
export const PART: usize = 384; // K of A, of B, whole, split: 32 bytes each
export const COUPLED: usize = 512; // inverse blocks of the locked axes
export const SCRATCH: u32 = 640;

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

/** Root of a square; 0 where adapters may flush it: what is that short has no direction. */
export function rootOf(square: f32): f32 {
  return square > <f32>1e-30 ? sqrt<f32>(square) : 0;
}

export function lengthOf(v: v128): f32 {
  return rootOf(dot3(v, v));
}
