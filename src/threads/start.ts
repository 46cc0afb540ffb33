// Starts the worker of a thread: from text in the package, so that no file has to be found and bundlers need no settings; or from
// the caller's own, if a content security policy forbids Blobs.
import type { NodePort, WorkerLike } from '../platform/scope';
import { nodeThreads } from '../platform/shared_core';
import text from './thread_code.js?raw';
import type { ThreadWorker } from './types';

let url = '';

function startText(): WorkerLike {
  const node = nodeThreads();
  if (node) return new node.Worker(text, { eval: true, execArgv: [], name: 'talus' });
  url ||= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(url, { name: 'talus' });
}

function startFile(address: string): WorkerLike {
  const node = nodeThreads();
  return node ? new node.Worker(new URL(address)) : new Worker(address, { type: 'module', name: 'talus' });
}

/**
 * Starts a worker; `fail` gets the reason if it ends by itself or never starts. Does not keep a process alive. Throws the errors
 * of workers.
 */
export function startThread(own: ThreadWorker | undefined, fail: (why: string) => void): WorkerLike {
  const worker = typeof own === 'function' ? own() : own === undefined ? startText() : startFile(own);
  const port = worker as unknown as NodePort & { unref?(): void };
  if (typeof port.on === 'function') {
    port.on('error', ((error: Error) => fail(String(error))) as (value: never) => void);
    port.on('exit', ((code: number) => fail(`it ended with code ${code}`)) as (value: never) => void);
    port.unref?.();
  } else {
    const target = worker as unknown as Record<string, (event: never) => void>;
    target.onerror = ((event: { message?: string; preventDefault?(): void }) => {
      event.preventDefault?.();
      fail(event.message ?? 'it could not be started (does the content security policy allow worker-src blob:?)');
    }) as (event: never) => void;
  }
  return worker;
}
