// Ordering internals for tests.
export { initOrdering } from '../ordering/state';
export { buildGraph } from '../ordering/graph';
export { colorAll } from '../ordering/coloring';
export { orderCellLike } from '../ordering/cell_like';
export { findIslands } from '../ordering/islands';
export { partitionCells, partitionPairs } from '../ordering/partition';
