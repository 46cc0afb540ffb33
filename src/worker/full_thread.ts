// `talus/worker-thread`: the code in the thread of the `TalusWorker` of `talus/worker`. Exports no names.

import { provideGpu } from '../gpu/host';
import { webgpu } from '../gpu/webgpu';
import { createWorld } from '../world/create_world';
import { serve } from './thread';

provideGpu(webgpu);
serve(createWorld);
