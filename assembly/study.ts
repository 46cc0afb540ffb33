// Second entry of the core of `talus/study`: what it exports beyond index.ts.
export { packRows, applyRows, dropRows } from './solver/methods/gpu_rows';
export { orderReport } from './solver/methods/report';
export { step } from './step';
