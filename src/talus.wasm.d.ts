// `talus/talus.wasm`, the core as a file of its own. Bundlers that are told to emit it give its address:
// `import url from 'talus/talus.wasm?url'` (Vite), asset/resource (webpack), the loader `file` (esbuild). Then
// `createWorld({ wasm: url })` of `talus/slim`, or `createWorld({ wasm: await (await fetch(url)).arrayBuffer() })` of `talus`.
declare const url: string;
export default url;
