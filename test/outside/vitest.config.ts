import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that need other programs on this machine, such as redis-server. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/outside/**/*.test.ts'],
    globalSetup: ['test/support/prepare.ts', 'test/support/prepare-bundle.ts'],
    setupFiles: ['test/support/fresh-connections.ts', 'test/support/record-routing.ts'],
    // Long enough for a machine that is several times slower than usual.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
    // Two files at a time, because they spend most of their time waiting for other programs.
    maxWorkers: 2,
  },
})
