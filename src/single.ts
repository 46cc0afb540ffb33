// `talus/single`: `talus`, `talus/gpu`, `talus/rigs` and `talus/controllers` in one file without imports, for pages without build
// tools.
import { provideGpu } from './gpu/host';
import { webgpu } from './gpu/webgpu';

export * from './controllers/index';
export * from './index';
export * from './rigs/index';

provideGpu(webgpu);
