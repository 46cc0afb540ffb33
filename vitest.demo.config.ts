// All tests of the demo page: headless Chromium, one file after the other (`npm run test:demo`).
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/demo/*.test.ts'],
    globalSetup: ['tests/demo/global_setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    pool: 'forks',
  },
});
