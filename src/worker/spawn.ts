// Starts the thread: a module worker in browsers, a worker thread in Node.
import { TalusError } from '../index';
import type { FromThread, ToThread } from './messages';
import type { NodePort, Scope, WorkerLike } from './scope';

/**
 * `new Worker(new URL('./worker_thread.js', import.meta.url), { type: 'module' })`, which bundlers know: vite.config.ts writes it in
 * the built package, for the sources have no such file.
 */
declare const __TALUS_THREAD__: WorkerLike;

const scope = globalThis as unknown as Scope & { Worker?: unknown };

/** The other side, as a page sees it. */
export interface Link {
  post(message: ToThread, transfer: unknown[]): void;
  end(): void;
}

function start(): WorkerLike {
  if (typeof scope.Worker === 'function') return __TALUS_THREAD__;
  const threads = scope.process?.getBuiltinModule?.('node:worker_threads');
  if (!threads) throw new TalusError('unsupported', 'this machine has no workers');
  return new threads.Worker(new URL(import.meta.url.replace(/[^/]*$/, 'worker_thread.js')));
}

/**
 * Starts a thread, or takes that of the caller. `take` gets its messages, `fail` the reason if it ends by itself.
 * @throws TalusError `unsupported` without workers, `worker` if it is refused
 */
export function spawn(
  own: (() => WorkerLike) | undefined,
  take: (message: FromThread) => void,
  fail: (why: string) => void,
): Link {
  let worker: WorkerLike;
  try {
    worker = own ? own() : start();
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
      fail(event.message ?? 'its file could not be loaded (is dist/worker_thread.js served, and allowed by the page?)');
    }) as (event: never) => void;
  }
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as never[]),
    end: () => {
      worker.terminate();
    },
  };
}
