// The site and the examples in headless Chromium (`npm run test:site`): builds the site once; the package has to be built.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/site/*.test.ts'],
    globalSetup: ['tests/site/global_setup.ts'],
    // Only what hangs: a busy machine takes several times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    fileParallelism: false,
    pool: 'forks',
  },
});
