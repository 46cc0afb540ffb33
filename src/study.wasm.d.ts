// `talus/study.wasm`, the core of `talus/study` as a file of its own. Bundlers that are told to emit it give its address:
// `import url from 'talus/study.wasm?url'` (Vite), asset/resource (webpack), the loader `file` (esbuild). Then
// `createWorld({ wasm: await (await fetch(url)).arrayBuffer() })`.
declare const url: string;
export default url;
