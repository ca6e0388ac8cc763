import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/outside/**'],
    globalSetup: 'test/support/database.ts',
    // Files share the modules of a worker, which take longer to load than most files run.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
