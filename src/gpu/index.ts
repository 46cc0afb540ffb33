// `import 'talus/gpu'`: from then on worlds of `talus` and `talus/slim` know the backends 'webgpu' and 'auto'. Has no names.
import { provideGpu } from './host';
import { webgpu } from './webgpu';

provideGpu(webgpu);
