// `talus/worker-thread`: what runs in the thread of the `TalusWorker` of `talus/worker`. Has no names.
import { createWorld } from '../create_world';
import { provideGpu } from '../gpu/host';
import { webgpu } from '../gpu/webgpu';
import { serve } from './thread';

provideGpu(webgpu);
serve(createWorld);
