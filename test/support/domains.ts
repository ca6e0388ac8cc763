import { afterAll, beforeAll, inject } from 'vitest'
import { checkDueDomains } from '../../routers/spaces/domains/check.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { copyDatabase } from './database.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { startTestService, type TestService, type TestSpace } from './test-service.ts'
import { withoutIntervals } from './without-intervals.ts'

/** The address of the service, as its DNS server says. */
export const OWN_ADDRESS = '127.0.0.1'

const DAY = 24 * 60 * 60_000

/** A service that asks a DNS server of the test, and checks domains only when the test says so. */
export interface DomainService {
  service: TestService
  dns: DnsServer
  /** Runs the checks that are due this many days from now. */
  check: (days?: number) => Promise<void>
  /** Sets the TXT record that proves a domain for a space. */
  prove: (space: TestSpace, domain: string) => Promise<void>
  /** Makes names lead to the service. */
  point: (...names: string[]) => void
  /** Starts another process's service on the same database. The caller stops it. */
  another: () => Promise<TestService>
  /** Adds a domain to a space, sets all of its records, and checks it. */
  connect: (space: TestSpace, domain: string) => Promise<void>
}

/** Starts such a service before the tests of a file, and stops it afterwards. Its domains end in `.example`. */
export const useDomainService = (settings: Partial<Settings> = {}): DomainService => {
  const started = {} as DomainService
  beforeAll(async () => {
    const dns = await startDnsServer()
    const start = (databaseUrl: string) =>
      withoutIntervals(() =>
        startTestService({
          apiRoot: 'http://main.example',
          siteDomain: 'sites.example',
          pagesDomain: 'pages.example',
          filesDomain: 'files.example',
          postsDomain: 'posts.example',
          scheme: 'http',
          dnsServers: [dns.address],
          databaseUrl,
          ...settings,
        }),
      )
    const databaseUrl = await copyDatabase(inject('database'))
    const service = await start(databaseUrl)
    started.another = () => start(databaseUrl)
    Object.assign(started, { service, dns })
  })
  afterAll(async () => {
    await started.service.stop()
    started.dns.stop()
  })

  started.check = (days = 0) =>
    // Whatever is due later on this day is due now.
    checkDueDomains(started.service.core, new Date(Date.now() + days * DAY + DAY))
  started.point = (...names) => {
    for (const name of names) started.dns.set(name, { a: [OWN_ADDRESS] })
  }
  started.prove = async ({ owner, subdomain }, domain) => {
    const { domains } = await owner.domains.list({ subdomain })
    const { name, value } = domains
      .find(({ name }) => name === domain)!
      .records.find(({ type }) => type === 'TXT')!
    started.dns.set(name, { txt: [value] })
  }
  started.connect = async (space, domain) => {
    const { subdomain, owner } = space
    started.point(`${subdomain}.sites.example`, domain)
    await owner.domains.add({ subdomain, domain })
    await started.prove(space, domain)
    await started.check()
  }
  return started
}
