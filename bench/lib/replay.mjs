// Two devices that isolate the main thread's part of a step. The first records the results that the solver reads back. The second takes
// every command, does no work, and returns the recorded results. The same world stepped from the same state makes the same requests to
// both, so the second run equals the first on a GPU that takes no time.
import { emptyDevice } from './empty_device.mjs';

/** Notes every mapped range of a device. Returns the list it fills. */
export function recordResults(device) {
  const results = [];
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    if ((descriptor.usage & GPUBufferUsage.MAP_READ) === 0) return buffer;
    const range = buffer.getMappedRange.bind(buffer);
    buffer.getMappedRange = (...span) => {
      const mapped = range(...span);
      results.push(mapped.slice(0));
      return mapped;
    };
    return buffer;
  };
  return results;
}

/** A device with the limits of another that answers from the results, in order. `written` sees what is written to its buffers. */
export function replayDevice({ limits, adapterInfo }, results, written = undefined) {
  let next = 0;
  return emptyDevice({
    limits,
    adapterInfo,
    written,
    answer() {
      if (next === results.length) throw new Error('the run asks for more results than were noted');
      return results[next++];
    },
  });
}
