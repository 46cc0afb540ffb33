// Second entry of the core of `talus/study`: what it exports beyond index.ts.
export { packRows, applyRows, dropRows } from './study/methods/gpu_rows';
export { orderReport } from './study/methods/report';
export { step } from './step';
