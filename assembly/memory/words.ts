// Arrays of u32: element access with one shift.

export function at32(base: usize, index: u32): u32 {
  return load<u32>(base + ((<usize>index) << 2));
}
export function put32(base: usize, index: u32, value: u32): void {
  store<u32>(base + ((<usize>index) << 2), value);
}
