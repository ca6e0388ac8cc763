import { dashboardClient } from '../../dashboard/support/dashboard-client.ts'
import { type HostResponse, requestHost } from '../../support/request-host.ts'
import type { Person, TestService } from '../../support/test-service.ts'

/** What a browser sends with a form of the main site. */
export const FROM_SITE = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }

type Headers = Record<string, string>

/** Opens pages and sends forms of the main site as a person, or as a visitor without a session. */
export const mainSiteOf = async (service: TestService, person: Person | null) => {
  const client = dashboardClient(service)
  if (person)
    await client.api.sessions.create.mutate({ handle: person.handle, password: 'correct horse battery' })
  const cookie: Headers = person ? { cookie: client.cookie()! } : {}
  return {
    get: (path: string): Promise<HostResponse> =>
      requestHost(service, 'localhost', path, { headers: cookie }),
    send: (path: string, fields: Headers, headers: Headers = FROM_SITE): Promise<HostResponse> =>
      requestHost(service, 'localhost', path, {
        method: 'POST',
        headers: { ...cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
  }
}
