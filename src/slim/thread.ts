// `talus/slim/worker-thread`: the code in the thread of the `TalusWorker` of `talus/slim/worker`. Exports no names.
import type { WorldOptions } from '../options/options';
import { serve } from '../worker/thread';
import { createWorld } from './create_world';

serve(createWorld as (options: WorldOptions) => ReturnType<typeof createWorld>);
