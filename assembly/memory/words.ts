// Arrays of u32, and of vectors of 16 bytes (columns of a rotation, vertices, rows of scratch): element access with one shift.

export function at32(base: usize, index: u32): u32 {
  return load<u32>(base + ((<usize>index) << 2));
}
export function put32(base: usize, index: u32, value: u32): void {
  store<u32>(base + ((<usize>index) << 2), value);
}

export function vectorAt(base: usize, index: u32): v128 {
  return v128.load(base + ((<usize>index) << 4));
}
export function putVector(base: usize, index: u32, value: v128): void {
  v128.store(base + ((<usize>index) << 4), value);
}
/** Writes x y z at an address; the word after them is unchanged. */
export function putXyz(at: usize, value: v128): void {
  v128.store(at, f32x4.replace_lane(value, 3, load<f32>(at, 12)));
}
