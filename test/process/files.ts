/** The test files that start whole processes, most of them several. They take long, so `npm test` leaves them out. */
export const PROCESS_TESTS = [
  'test/process/**/*.test.ts',
  'test/embedded/**/*.test.ts',
  'test/backup/{commands,scheduled}.test.ts',
  'test/liquid/{pool,sharing}.test.ts',
]
