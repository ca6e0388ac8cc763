import { defineConfig } from 'vitest/config'
import main from '../vitest.config.ts'

/** The main tests, which also write down the functions that they call. */
export default defineConfig({
  test: { ...main.test, setupFiles: [main.test!.setupFiles!, 'test/mutation/covered.ts'].flat() },
})
