// Test entry of lanes: the state of a manifold by its index, columns, batches that are joined.
import { Manifold, SolverBatch } from '../layout.generated';
import { manifoldAt } from '../constraints/manifolds';
import { addBatch, addCell, batchAt, batchState, cellOf, reserveBatches } from '../lanes/batches';
import { addColumns } from '../lanes/columns';
import { copyState, hit, largestImpulseOf, storeState } from '../lanes/state';
import { put32 } from '../memory/words';

export { batchFor } from '../lanes/batches';
export { groupStride } from '../lanes/lane_layout';

export function testStoreState(index: u32): void {
  storeState(manifoldAt(index));
}
/** Into a block of the size of a manifold. */
export function testCopyState(index: u32, to: usize): void {
  copyState(manifoldAt(index), changetype<Manifold>(to));
}
export function testLargestImpulse(index: u32, point: u32): f32 {
  return largestImpulseOf(manifoldAt(index), point);
}
export function testHit(index: u32, impulse: f32): void {
  hit(manifoldAt(index), impulse);
}
/** Four rows of 16 bytes at an address; columns x y z at another. */
export function testAddColumns(rows: usize, columns: usize): void {
  const y: v128 = v128.load(columns + 16),
    z: v128 = v128.load(columns + 32);
  addColumns(rows, rows + 16, rows + 32, rows + 48, v128.load(columns), y, z);
}
/** A batch with these numbers, and a body in a cell of it. */
export function testAddBatch(body: u32, substeps: u32, wanted: u32, peak: u32): u32 {
  if (!reserveBatches()) return 0;
  const index: u32 = addBatch(substeps);
  const batch: SolverBatch = batchAt(index);
  batch.wanted = wanted;
  batch.peak = peak;
  const cell: u32 = addCell(index);
  put32(batchState().cellOfBody, body, cell);
  return index;
}
/** Its substeps, those wanted, the peak of these: three words. */
export function testBatchNumbers(index: u32, out: usize): void {
  const batch: SolverBatch = batchAt(index);
  put32(<u32>out, 0, batch.substeps);
  put32(<u32>out, 1, batch.wanted);
  put32(<u32>out, 2, batch.peak);
}
/** Makes batch `to` an image of another: its bodies and groups belong to both. False without room for it. */
export function testCopyBatch(from: u32, to: u32): bool {
  if (to >= batchState().batchesCapacity) return false;
  memory.copy(changetype<usize>(batchAt(to)), changetype<usize>(batchAt(from)), offsetof<SolverBatch>());
  return true;
}
/** What is known of a cell when batches were cut: its neighbors, the cell that it became. */
export function testLinksOfCuts(): usize {
  return batchState().links;
}
export function testCellOf(body: u32): u32 {
  return cellOf(body);
}
export function testCellCount(): u32 {
  return batchState().cellCount;
}
