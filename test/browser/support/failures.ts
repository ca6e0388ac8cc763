/** Makes procedures fail, with real errors of the service where possible. */
import type { Page } from 'playwright-core'
import type { TestService } from '../../support/test-service.ts'

/** Renames a table, so that procedures that read it fail with an internal error.
 *
 * @returns a function that restores the table
 */
export const breakTable = async (service: TestService, table: string): Promise<() => Promise<void>> => {
  const rename = async (from: string, to: string) => {
    await service.core.database.orm.em.fork().execute(`alter table ${from} rename to ${to}`)
  }
  await rename(table, `${table}_away`)
  return () => rename(`${table}_away`, table)
}

/** Answers every call of a procedure with the response that the service sends above the rate limit. */
export const rateLimit = async (page: Page, procedure: string, seconds: number): Promise<void> => {
  await page.route(
    url => url.pathname.includes(`/trpc/`) && url.pathname.split(/[/,]/).includes(procedure),
    route => {
      const problem = {
        type: 'http://localhost/docs#error-rate_limited',
        title: 'Too many calls',
        status: 429,
        code: 'rate_limited',
        detail: `Too many attempts; wait ${seconds} s.`,
      }
      const error = {
        message: problem.detail,
        code: -32029,
        data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429, problem, retryAfter: seconds },
      }
      const { pathname } = new URL(route.request().url())
      return route.fulfill({ status: 429, json: pathname.split(',').map(() => ({ error })) })
    },
  )
}
