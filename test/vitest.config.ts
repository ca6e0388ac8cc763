import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { PROCESS_TESTS } from './process/files.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/faults/**', 'test/outside/**', ...PROCESS_TESTS],
    globalSetup: 'test/support/prepare.ts',
    setupFiles: [
      'test/support/drop-databases.ts',
      'test/support/fresh-connections.ts',
      'test/support/property-seed.ts',
      'test/support/record-routing.ts',
    ],
    // Test files share the modules that a worker has loaded, because loading them takes longer than running most files.
    isolate: false,
    // Three workers are faster even on two cores, because tests often wait for processes and timers. With more than 16,
    // the database would run out of connections.
    maxWorkers: Math.min(16, Math.max(3, os.availableParallelism())),
    // Long enough for a busy machine. Tests wait for conditions, so only a broken test takes this long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
