// Ordering internals for tests.
export { initOrdering } from '../ordering/state';
export { buildGraph } from '../ordering/graph';
export { colorAll } from '../ordering/coloring';
export { orderCellLike } from '../study/methods/cell_like';
export { partitionCells, partitionPairs } from '../ordering/partition';
export { beginCut, bodiesToCut, cutAgain, nextPart, roomToCut } from '../ordering/cut';
