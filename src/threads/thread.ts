// The types of `talus/thread`, which exports no names: the code of helper threads, for pages whose content security policy
// forbids workers from a Blob (option `threadWorker`). The code is in thread_code.js.
export {};
