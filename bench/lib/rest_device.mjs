// A WebGPU device that answers after a time that nothing has moved. It holds the state of the bodies as it is sent, and returns their hashes
// with the results, so that the solver counts the state of the device as its own (assembly/split/finalise.ts).
import { emptyDevice } from './empty_device.mjs';

const BODY_WORDS = 20;
const MOTION_WORDS = 16;
/** Words of a body that are its velocities: they are zero in an answer. */
const VELOCITIES = [12, 13, 14, 16, 17, 18];
const HASH = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];
const LIMITS = { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 30, maxComputeWorkgroupsPerDimension: 65535 };

/**
 * @param {number} latency ms from a map to its end
 * @param {(label: string, bytes: Uint8Array) => void} [watch] sees what is written to buffers
 */
export function restDevice(latency, watch = () => {}) {
  let bodies = new Uint32Array(0);
  return emptyDevice({
    limits: LIMITS,
    adapterInfo: { vendor: 'none', architecture: '', device: '', description: '' },
    latency,
    written(label, at, bytes) {
      watch(label, bytes);
      if (label !== 'talus bodies') return;
      if (4 * bodies.length < at + bytes.length) {
        const grown = new Uint32Array((at + bytes.length) / 4);
        grown.set(bodies);
        bodies = grown;
      }
      new Uint8Array(bodies.buffer).set(bytes, at);
    },
    answer(bytes) {
      const result = new Uint32Array(bytes / 4);
      const count = Math.min(bodies.length / BODY_WORDS, Math.floor(result.length / MOTION_WORDS));
      for (let i = 0; i < count; i++) {
        const body = BODY_WORDS * i;
        for (const at of VELOCITIES) bodies[body + at] = 0;
        for (let lane = 0; lane < 4; lane++) {
          let hash = 0;
          for (let k = 0; k < 5; k++) hash ^= Math.imul(bodies[body + 4 * k + lane], HASH[k]);
          result[MOTION_WORDS * i + 4 * lane + 3] = hash;
        }
      }
      return result.buffer;
    },
  });
}
