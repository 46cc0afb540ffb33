// The forms in which a caller may pass his own copy of the core.

/** `WebAssembly.Module`, if the types of WebAssembly are available: Node has no DOM library. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module & object
  : object;

/** The bytes of `talus/talus.wasm` (of `talus/study.wasm` for `talus/study`), or a module of them. */
export type WasmSource = ArrayBuffer | ArrayBufferView | WasmModule;
