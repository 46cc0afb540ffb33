// `import 'talus/gpu'`: from then on worlds of `talus` and `talus/slim` support the backends 'webgpu' and 'auto'. Exports no
// names.
import { provideGpu } from './host';
import { webgpu } from './webgpu';

provideGpu(webgpu);
