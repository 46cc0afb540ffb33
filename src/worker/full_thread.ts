// `talus/worker-thread`: what runs in the thread of the `TalusWorker` of `talus/worker`. Has no names.

import { provideGpu } from '../gpu/host';
import { webgpu } from '../gpu/webgpu';
import { createWorld } from '../world/create_world';
import { serve } from './thread';

provideGpu(webgpu);
serve(createWorld);
