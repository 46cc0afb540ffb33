// The exported ABI of the core: thin, no logic.
export { initMemory, allocate, release } from './memory/allocator';
