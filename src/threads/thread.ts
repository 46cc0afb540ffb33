// The types of `talus/thread`, which has no names: what runs in the threads beside the one that steps, for pages whose content security
// policy allows no worker of a Blob (option `threadWorker`). The code is that of thread_code.js.
export {};
