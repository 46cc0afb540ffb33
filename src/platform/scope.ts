// The parts of browsers and of Node that threads need: the package depends on the types of neither.

/** A port to a thread in Node, from either side. */
export interface NodePort {
  postMessage(message: unknown, transfer?: unknown[]): void;
  on(event: string, listener: (value: never) => void): void;
}

export interface NodeThreads {
  parentPort: NodePort;
  /** Starts a worker by a URL (of Node's types or those of the DOM), or by text. */
  Worker: new (
    url: object | string,
    options?: { eval: boolean; execArgv: string[]; name: string },
  ) => WorkerLike;
}

/** The global object of a page, of a thread, or of Node. */
export interface Scope {
  postMessage?(message: unknown, transfer?: unknown[]): void;
  onmessage?: (event: { data: unknown }) => void;
  crossOriginIsolated?: boolean;
  reportError?(error: unknown): void;
  process?: {
    versions?: { node?: string };
    /** For Electron: 'renderer' in pages. */
    type?: string;
    getBuiltinModule(name: 'node:worker_threads'): NodeThreads;
    getBuiltinModule(name: 'node:os'): { availableParallelism(): number };
  };
}

/** A Worker of a browser, or of `node:worker_threads`. */
export interface WorkerLike {
  postMessage(message: unknown, ...transfer: never[]): void;
  terminate(): unknown;
}
