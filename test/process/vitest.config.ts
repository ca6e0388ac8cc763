import { defineConfig } from 'vitest/config'
import main from '../vitest.config.ts'
import { PROCESS_TESTS } from './files.ts'

/** Tests of starting, stopping and killing the service, the embedded database and the renderer's processes. */
export default defineConfig({
  test: {
    ...main.test,
    include: PROCESS_TESTS,
    exclude: [],
    globalSetup: ['test/support/prepare.ts', 'test/support/prepare-bundle.ts'],
  },
})
