import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: 'test/support/database.ts',
    // Attacks and their victims share the machine; two at once would measure each other.
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
