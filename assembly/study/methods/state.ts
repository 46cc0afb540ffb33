// Address book of the study methods at header().methodState, their rows, body velocities and random numbers.
import { deltaAt, isMoved } from '../../bodies/rows';
import {
  BodyDelta,
  BodyVelocity,
  MATRIX_ENTRY_STRIDE,
  METHOD_ROW_STRIDE,
  METHOD_STATE_STRIDE,
  MatrixEntry,
  MethodRow,
  MethodState,
} from '../../layout.generated';
import { allocate, ensureArray } from '../../memory/allocator';
import { header } from '../../memory/header';

/** Allocates the state; harmless when it exists. Returns false (header error set) without memory. */
export function initMethods(): bool {
  if (header().methodState != 0) return true;
  header().methodState = <u32>allocate(METHOD_STATE_STRIDE);
  return header().methodState != 0;
}

export function methodState(): MethodState {
  return changetype<MethodState>(<usize>header().methodState);
}

/** Room for `needed` elements of `stride` bytes in the array whose base is the field at `offset`. */
export function methodRoom(offset: usize, stride: usize, needed: u32): bool {
  const at: usize = <usize>header().methodState + offset;
  return ensureArray(at, stride, needed);
}

/** Entry i of the matrix A. */
export function entryAt(s: MethodState, i: u32): MatrixEntry {
  return changetype<MatrixEntry>(<usize>s.matrix + <usize>i * MATRIX_ENTRY_STRIDE);
}

export function methodRow(index: u32): MethodRow {
  return changetype<MethodRow>(<usize>methodState().rows + <usize>index * METHOD_ROW_STRIDE);
}

/** Whether `body` of a row stands for the world, which has no slot among the bodies: it neither moves nor weighs. */
export function isWorld(body: u32): bool {
  return body == methodState().world;
}

/** Motion of a body of a row since the start of the step. */
export function deltaOf(body: u32): BodyDelta {
  // The velocity of the world is a block of zeros.
  return isWorld(body) ? changetype<BodyDelta>(changetype<usize>(velocityAt(methodState().velocities, body))) : deltaAt(body);
}

/** Whether impulses move a body of a row. */
export function movesByImpulses(body: u32): bool {
  return !isWorld(body) && isMoved(body);
}

export function velocityAt(base: usize, body: u32): BodyVelocity {
  return changetype<BodyVelocity>(base + ((<usize>body) << 5));
}

/** Starts the generator of this step: the same seed and step give the same numbers. */
export function seedStep(salt: u32): void {
  const h = header();
  methodState().random = h.seed * 0x9e3779b1 + h.stepCount * 0x85ebca6b + salt;
}

/** 32 random bits (mulberry32). */
export function randomBits(): u32 {
  const s: MethodState = methodState();
  s.random += 0x6d2b79f5;
  let t: u32 = s.random;
  t = (t ^ (t >>> 15)) * (t | 1);
  t ^= t + (t ^ (t >>> 7)) * (t | 61);
  return t ^ (t >>> 14);
}

/** Shuffles u32[from..to) of an array (Fisher-Yates). */
export function shuffle(list: usize, from: u32, to: u32): void {
  for (let i: u32 = to; i > from + 1; i--) {
    const j: u32 = from + <u32>((<u64>randomBits() * <u64>(i - from)) >> 32);
    const a: usize = list + ((<usize>(i - 1)) << 2);
    const b: usize = list + ((<usize>j) << 2);
    const value: u32 = load<u32>(a);
    store<u32>(a, load<u32>(b));
    store<u32>(b, value);
  }
}
