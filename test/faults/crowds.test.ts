import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBusyLoops } from '../liquid/busy-loops.ts'
import { createAccount, type TestAccount } from './support/account.ts'
import { call, repeat, tally } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

const PAGES = 48
const BUSY = { timeout: 300_000 }

let service: ServiceProcess
let account: TestAccount
let stopBusyLoops = () => {}

beforeAll(async () => {
  service = await startProgram({ CALLS_PER_MINUTE: '1000000' })
  account = await createAccount(service.port, 'crowded')
  const created = await repeat(PAGES, 8, number =>
    call(service.port, {
      path: `/v1/spaces/${account.subdomain}/pages`,
      headers: account.key,
      body: JSON.stringify({
        slug: `page-${number}`,
        kind: number % 2 ? 'static' : 'scripted',
        html: `<!doctype html><title>Page ${number}</title><h1>{{ page.slug }}</h1>
{% for page in pages %}<p><a href="{{ page.url }}">{{ page.slug | capitalize }}</a></p>{% endfor %}`,
      }),
    }),
  )
  if (created.some(({ status }) => status !== 201)) throw new Error(JSON.stringify(tally(created)))
  stopBusyLoops = await startBusyLoops(2)
})
afterAll(async () => {
  stopBusyLoops()
  await service.remove()
})

const open = (numbers: number[]) =>
  Promise.all(
    numbers.map(number =>
      call(service.port, {
        path: `/page-${number}`,
        headers: { host: `${account.subdomain}.sites.localhost` },
        timeout: 120_000,
      }),
    ),
  )

test(`${PAGES} pages of a site can be opened at the same time on a busy machine`, BUSY, async () => {
  const numbers = Array.from({ length: PAGES }, (_, number) => number)
  for (let round = 1; round <= 2; round++) {
    const replies = await open(numbers)
    expect(tally(replies)).toEqual({ 200: PAGES })
    expect(replies.filter(({ headers }) => headers['x-template-error'])).toEqual([])
    for (const number of numbers) expect(replies[number]!.text).toContain(`<title>Page ${number}</title>`)
  }
})
