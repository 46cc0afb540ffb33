// `talus/single`: `talus`, `talus/gpu`, `talus/rigs` and `talus/controllers` in one file that imports nothing, for pages without tools.
import { provideGpu } from './gpu/host';
import { webgpu } from './gpu/webgpu';

export * from './controllers/index';
export * from './index';
export * from './rigs/index';

provideGpu(webgpu);
