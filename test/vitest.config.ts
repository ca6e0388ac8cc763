import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { PROCESS_TESTS } from './process/files.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/faults/**', 'test/outside/**', ...PROCESS_TESTS],
    globalSetup: 'test/support/database.ts',
    // Files share the modules that a worker has loaded, because loading takes longer than most files run.
    isolate: false,
    // A third worker pays off on two cores, because files wait for processes to start and for time to pass.
    maxWorkers: Math.max(3, os.availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
