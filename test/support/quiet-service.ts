import { Client } from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { copyDatabase } from './database.ts'
import { recordStatements, type Statement } from './statements.ts'
import { startTestService, type TestService } from './test-service.ts'
import { withoutIntervals } from './without-intervals.ts'

/**
 * Before the tests of a file, starts a service without its regular work, and connects a client to its database. Stops
 * both afterwards.
 *
 * @param prepare fills the database at this URL before the service starts
 */
export const useQuietService = (
  prepare: (url: string) => Promise<unknown> = () => Promise.resolve(),
): { service: TestService; client: Client } => {
  const started = {} as { service: TestService; client: Client }
  beforeAll(async () => {
    const url = await copyDatabase(inject('database'))
    await prepare(url)
    started.client = new Client({ connectionString: url })
    await started.client.connect()
    started.service = await withoutIntervals(() => startTestService({ databaseUrl: url }))
  })
  afterAll(async () => {
    await started.client.end()
    await started.service.stop()
  })
  return started
}

/** Runs a call and returns its result and the statements that it sent. */
export const recorded = async <T>(
  call: () => Promise<T>,
): Promise<{ result: T; statements: Statement[] }> => {
  const end = recordStatements()
  try {
    const result = await call()
    return { result, statements: end().statements }
  } catch (error) {
    end()
    throw error
  }
}
