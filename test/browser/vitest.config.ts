import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that need a real browser; they take longer and are run apart from the others. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/support/database.ts',
    testTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // Each file has a service and a browser of its own, which wait for each other most of the time.
    maxWorkers: 2,
  },
})
