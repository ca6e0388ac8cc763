import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests against servers that do not come along: they have to be on the machine. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/outside/**/*.test.ts'],
    globalSetup: 'test/support/database.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})
