// Starts the thread: a module worker in browsers, a worker thread in Node.
import { TalusError } from '../index';
import type { NodePort, Scope, WorkerLike } from '../platform/scope';
import type { FromThread, ToThread } from './messages';

/** A module of the package that runs in a thread. */
export interface ThreadFile {
  /** Its file name beside this module, for Node. */
  readonly file: string;
  /** Starts it in a browser, in the only form that bundlers recognize. */
  start(): WorkerLike;
}

const scope = globalThis as unknown as Scope & { Worker?: unknown };

/** The other side of a thread, for a page. */
export interface Link {
  post(message: ToThread, transfer: unknown[]): void;
  end(): void;
}

function start(thread: ThreadFile): WorkerLike {
  if (typeof scope.Worker === 'function') return thread.start();
  const threads = scope.process?.getBuiltinModule?.('node:worker_threads');
  if (!threads) throw new TalusError('unsupported', 'this machine has no workers');
  return new threads.Worker(new URL(import.meta.url.replace(/[^/]*$/, thread.file)));
}

/**
 * Starts a thread, or uses that of the caller. `take` gets its messages, `fail` the reason if it ends by itself.
 * @throws TalusError `unsupported` without workers, `worker` if it is refused
 */
export function spawn(
  thread: ThreadFile,
  own: (() => WorkerLike) | undefined,
  take: (message: FromThread) => void,
  fail: (why: string) => void,
): Link {
  let worker: WorkerLike;
  try {
    worker = own ? own() : start(thread);
  } catch (error) {
    if (error instanceof TalusError) throw error;
    throw new TalusError('worker', `the thread could not be started: ${String(error)}`);
  }
  const inNode = typeof (worker as unknown as NodePort).on === 'function';
  if (inNode) {
    const port = worker as unknown as NodePort;
    port.on('message', take as (value: never) => void);
    port.on('error', ((error: Error) => fail(String(error))) as (value: never) => void);
    port.on('messageerror', () => fail('a message could not be read'));
    port.on('exit', ((code: number) => fail(`it ended with code ${code}`)) as (value: never) => void);
  } else {
    const target = worker as unknown as Record<string, (event: never) => void>;
    target.onmessage = ((event: { data: FromThread }) => take(event.data)) as (event: never) => void;
    target.onmessageerror = () => fail('a message could not be read');
    // An event without a message: the file was not found, or not allowed to run.
    target.onerror = ((event: { message?: string; preventDefault?(): void }) => {
      event.preventDefault?.();
      fail(event.message ?? 'its file could not be loaded (is the dist folder of the package served, and allowed by the page?)');
    }) as (event: never) => void;
  }
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    end: () => {
      worker.terminate();
    },
  };
}
