// `talus/thread`: what runs in the threads beside the one that steps, for pages whose content security policy allows no Blob
// (option `threadWorker`). Has no names.
import './thread_code.js';
