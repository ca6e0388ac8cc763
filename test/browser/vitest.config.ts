import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that need a real browser; they take longer and run apart from the other tests. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/prepare.ts', 'test/support/prepare-bundle.ts'],
    setupFiles: ['test/support/fresh-connections.ts', 'test/support/property-seed.ts'],
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
    // Test files share the modules that a worker has loaded, which saves a tenth of the time.
    isolate: false,
    // A browser keeps more than one core busy. A third file at a time saves nothing on two cores, but each test would take
    // half as long again.
    maxWorkers: 2,
  },
})
