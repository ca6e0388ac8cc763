import { dashboardClient } from '../../dashboard/support/dashboard-client.ts'
import { type HostResponse, requestHost } from '../../support/request-host.ts'
import type { Person, TestService } from '../../support/test-service.ts'

/** Returns the headers that a browser sends with a form of the main site on this host. */
const sentFrom = (host: string) => ({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })
export const FROM_SITE = sentFrom('localhost')

type Headers = Record<string, string>

/**
 * Returns functions that open pages and send forms of the main site, as a person or as a visitor without a session.
 *
 * @param host the host of the main site
 */
export const mainSiteOf = async (service: TestService, person: Person | null, host = 'localhost') => {
  const client = dashboardClient(service)
  if (person)
    await client.api.sessions.create.mutate({ handle: person.handle, password: 'correct horse battery' })
  const cookie: Headers = person ? { cookie: client.cookie()! } : {}
  return {
    get: (path: string): Promise<HostResponse> => requestHost(service, host, path, { headers: cookie }),
    send: (path: string, fields: Headers, headers: Headers = sentFrom(host)): Promise<HostResponse> =>
      requestHost(service, host, path, {
        method: 'POST',
        headers: { ...cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
  }
}
