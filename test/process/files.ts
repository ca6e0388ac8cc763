/** Test files that start whole processes, usually several. `npm test` leaves them out because they take long. */
export const PROCESS_TESTS = [
  'test/process/**/*.test.ts',
  'test/embedded/**/*.test.ts',
  'test/backup/{commands,scheduled}.test.ts',
  'test/liquid/{pool,sharing}.test.ts',
]
