import os from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/faults/**', 'test/outside/**'],
    globalSetup: 'test/support/database.ts',
    // Files share the modules of a worker, which take longer to load than most files run.
    isolate: false,
    // On two cores a third worker pays: files wait for processes to start and for time to pass.
    maxWorkers: Math.max(3, os.availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
