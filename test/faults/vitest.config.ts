import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/prepare.ts', 'test/support/prepare-bundle.ts'],
    setupFiles: 'test/support/fresh-connections.ts',
    // Run one file at a time, because concurrent attacks would distort each other's measurements.
    fileParallelism: false,
    isolate: false,
    // Long enough for a machine that is several times slower than usual.
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
  },
})
