/** Domains of a space's own: adding, proving, losing and removing them. */
import { expect, test } from 'vitest'
import { takeDueChecks } from '../../db/queries/domains.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { OWN_ADDRESS, useDomainService } from '../support/domains.ts'
import { errorCodeOf } from '../support/problems.ts'
import type { TestSpace } from '../support/test-service.ts'

const started = useDomainService()

let count = 0
const newName = () => `shop-${++count}.example`

const listOf = async ({ owner, subdomain }: TestSpace) => (await owner.domains.list({ subdomain })).domains
const stateOf = async (space: TestSpace, name: string) =>
  (await listOf(space)).find(domain => domain.name === name)?.state
const eventsOf = async ({ owner, subdomain }: TestSpace) =>
  (await owner.audit.ofSpace({ subdomain, topic: 'domains' })).events.map(
    ({ kind, label }) => `${kind} ${label}`,
  )

test('a domain says which records to set, and becomes the main address once they are set', async () => {
  const { service, dns, check } = started
  const space = await service.createSpace()
  const { subdomain, owner } = space
  dns.set(`${subdomain}.sites.example`, { a: [OWN_ADDRESS], aaaa: ['2001:db8::5'] })

  const added = await owner.domains.add({ subdomain, domain: ' https://Bakery.example/ ' })
  expect(added.domains.map(({ name, state, is_chosen: isChosen }) => [name, state, isChosen])).toEqual([
    ['bakery.example', 'pending', true],
    ['www.bakery.example', 'pending', false],
  ])
  expect(added.main_url).toBe(`http://${subdomain}.sites.example`)

  await check()
  const [apex, www] = await listOf(space)
  const proof = {
    type: 'TXT',
    name: '_space-site.bakery.example',
    value: expect.stringMatching(/^space-site=\w{32}$/),
  }
  expect(apex!.records).toEqual([
    proof,
    { type: 'A', name: 'bakery.example', value: OWN_ADDRESS },
    { type: 'AAAA', name: 'bakery.example', value: '2001:db8::5' },
  ])
  expect(www!.records).toEqual([
    proof,
    { type: 'CNAME', name: 'www.bakery.example', value: `${subdomain}.sites.example` },
  ])
  expect(apex).toMatchObject({ is_proved: false, is_here: false, seen: { addresses: [], alias: null } })

  await started.prove(space, 'bakery.example')
  dns.set('bakery.example', { a: [OWN_ADDRESS], aaaa: ['2001:db8::5'] })
  dns.set('www.bakery.example', { cname: `${subdomain}.sites.example` })
  await check(1)
  const connected = await owner.domains.list({ subdomain })
  expect(connected.main_url).toBe('http://bakery.example')
  expect(connected.domains).toMatchObject([
    { name: 'bakery.example', state: 'main', is_here: true, ends_at: null },
    {
      name: 'www.bakery.example',
      state: 'ready',
      is_here: true,
      seen: { alias: `${subdomain}.sites.example` },
    },
  ])
  expect((await eventsOf(space)).sort()).toEqual([
    'domain_added bakery.example',
    'domain_verified bakery.example',
    'domain_verified www.bakery.example',
  ])
})

let refusing: Promise<TestSpace> | undefined
test.each([
  ['127.0.0.1', 'is an IP address'],
  ['[::1]', 'is an IP address'],
  ['2130706433', 'is an IP address'],
  ['localhost', 'not a domain of the internet'],
  ['shop.localhost', 'not a domain of the internet'],
  ['printer.local', 'not a domain of the internet'],
  ['main.example', 'belongs to this service'],
  ['www.main.example', 'belongs to this service'],
  ['deep.below.main.example', 'belongs to this service'],
  ['garden.sites.example', 'belongs to this service'],
  ['pages.example', 'belongs to this service'],
  ['x.files.example', 'belongs to this service'],
  ['x.POSTS.example.', 'belongs to this service'],
  ['example', 'must be a domain'],
  ['co.uk', 'is a public suffix'],
  ['github.io', 'is a public suffix'],
  ['a..example', 'must be a domain'],
  ['-a.example', 'must be a domain'],
  ['under_score.example', 'must be a domain'],
  [`${'a'.repeat(64)}.example`, 'must be a domain'],
  ['bakery.example/path', 'without a path'],
  ['bakery.example:8080', 'without a path, port'],
  ['user@bakery.example', 'without a path, port or user'],
  ['*.bakery.example', 'must be a domain'],
  ['', '1 to 253 characters'],
])('%s is refused, with the reason', async (domain, reason) => {
  refusing ??= started.service.createSpace()
  const { owner, subdomain } = await refusing
  const error: unknown = await owner.domains.add({ subdomain, domain }).catch((error: unknown) => error)
  const { problem, circumstances } = problemOf(error)
  expect([problem, circumstances.errors]).toMatchObject([
    'validation_failed',
    [{ field: 'domain', message: expect.stringContaining(reason) }],
  ])
})

test('a name with letters outside ASCII is shown in both forms', async () => {
  const { owner, subdomain } = await started.service.createSpace()
  // The first letter is Cyrillic.
  const { domains } = await owner.domains.add({ subdomain, domain: 'сafe.example' })
  expect(domains[0]).toMatchObject({ name: 'xn--afe-3ed.example', shown_name: 'сafe.example' })
})

test('a name without proof blocks nobody; a verified name belongs to one space', async () => {
  const name = newName()
  const [first, second] = [await started.service.createSpace(), await started.service.createSpace()]
  await first.owner.domains.add({ subdomain: first.subdomain, domain: name })
  await started.connect(second, name)
  expect(await stateOf(second, name)).toBe('main')

  const third = await started.service.createSpace()
  // The www. name belongs to the same owner.
  const take = third.owner.domains.add({ subdomain: third.subdomain, domain: `www.${name}` })
  expect(await errorCodeOf(take)).toBe('domain_taken')
  // The first claim stays, and says why it cannot be verified, even with a proof.
  started.dns.set(`_space-site.${name}`, {
    txt: (await Promise.all([first, second].map(listOf))).map(([domain]) => domain!.records[0]!.value),
  })
  started.point(`${first.subdomain}.sites.example`)
  await started.check(1)
  const claimed = await listOf(first)
  expect(claimed[0]).toMatchObject({ state: 'pending', is_proved: true, is_here: true, is_taken: true })
})

test('the proof of one space proves nothing for another', async () => {
  const name = newName()
  const [owner, thief] = [await started.service.createSpace(), await started.service.createSpace()]
  started.point(`${owner.subdomain}.sites.example`, `${thief.subdomain}.sites.example`, name)
  await owner.owner.domains.add({ subdomain: owner.subdomain, domain: name })
  await thief.owner.domains.add({ subdomain: thief.subdomain, domain: name })
  await started.prove(owner, name)
  await started.check()
  expect([await stateOf(owner, name), await stateOf(thief, name)]).toEqual(['main', 'pending'])
  expect((await listOf(thief))[0]).toMatchObject({ seen: { other_proofs: 1 } })
})

test('a name that still leads here, with the proof of a deleted space, proves nothing for another', async () => {
  const [gone, thief] = [await started.service.createSpace(), await started.service.createSpace()]
  const name = newName()
  await started.connect(gone, name)
  await gone.owner.spaces.delete({ subdomain: gone.subdomain, confirm: gone.subdomain })
  started.point(`${thief.subdomain}.sites.example`)
  await thief.owner.domains.add({ subdomain: thief.subdomain, domain: name })
  for (const day of [0, 1, 5]) await started.check(day)
  expect((await listOf(thief))[0]).toMatchObject({ state: 'pending', is_proved: false, is_here: true })
  expect(started.service.core.verifiedDomains.subdomainOf(name)).toBeUndefined()
})

test('a name whose resolver adds an address of another server does not lead here', async () => {
  const space = await started.service.createSpace()
  const name = newName()
  await started.connect(space, name)
  started.dns.set(name, { a: [OWN_ADDRESS, '203.0.113.9'] })
  await started.check(1)
  expect((await listOf(space))[0]).toMatchObject({
    is_here: false,
    seen: { addresses: [OWN_ADDRESS, '203.0.113.9'] },
    ends_at: expect.any(String),
  })
})

test('a name that nobody proves within a week is dropped', async () => {
  const space = await started.service.createSpace()
  const name = newName()
  await space.owner.domains.add({ subdomain: space.subdomain, domain: name })
  await started.check(5)
  expect(await stateOf(space, name)).toBe('pending')
  await started.check(6)
  expect(await listOf(space)).toEqual([])
  expect(await eventsOf(space)).toContain(`domain_removed ${name}`)
})

test.each([
  ['leads elsewhere', (name: string) => started.dns.set(name, { a: ['203.0.113.9'] })],
  ['has no proof any more', (name: string) => started.dns.set(`_space-site.${name}`)],
  ['no longer exists', (name: string) => started.dns.set(name)],
  ['has a name server that fails', (name: string) => started.dns.set(name, { fails: true })],
])('a domain that %s for a week is switched off, and its participants are told', async (_, lose) => {
  const space = await started.service.createSpace()
  const { subdomain, owner } = space
  const name = newName()
  await started.connect(space, name)
  lose(name)
  await started.check(1)
  await started.check(7)
  expect(await stateOf(space, name)).toBe('main')
  await started.check(8)
  expect(await stateOf(space, name)).toBe('pending')
  expect((await owner.domains.list({ subdomain })).main_url).toBe(`http://${subdomain}.sites.example`)
  const { notifications } = await owner.notifications.list({ cursor: null })
  expect(notifications).toMatchObject([
    { kind: 'domain_switched_off', text: name, space: { subdomain }, is_read: false },
  ])
  expect(await eventsOf(space)).toContain(`domain_switched_off ${name}`)

  // The site is not there any more, and whoever proves the name next can have it.
  await started.check(9)
  expect(await stateOf(space, name)).toBe('pending')
  const heir = await started.service.createSpace()
  await started.connect(heir, name)
  expect(await stateOf(heir, name)).toBe('main')
})

test('a domain that comes back within the week stays', async () => {
  const space = await started.service.createSpace()
  const name = newName()
  await started.connect(space, name)
  started.dns.set(name, { a: ['203.0.113.9'] })
  await started.check(1)
  started.point(name)
  await started.check(6)
  started.dns.set(name, { a: ['203.0.113.9'] })
  await started.check(8)
  expect(await stateOf(space, name)).toBe('main')
})

test('while DNS does not answer about the service itself, no domain is switched off', async () => {
  const space = await started.service.createSpace()
  const name = newName()
  await started.connect(space, name)
  started.dns.set(`${space.subdomain}.sites.example`, { fails: true })
  started.dns.set(name, { fails: true })
  for (const day of [1, 2, 9, 10]) await started.check(day)
  expect(await stateOf(space, name)).toBe('main')
})

test('a deleted space frees its names', async () => {
  const [space, next] = [await started.service.createSpace(), await started.service.createSpace()]
  const name = newName()
  await started.connect(space, name)
  await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
  await started.connect(next, name)
  expect(await stateOf(next, name)).toBe('main')
})

test('a space can have only one main address, and chooses it', async () => {
  const space = await started.service.createSpace()
  const { subdomain, owner } = space
  const [first, second] = [newName(), newName()]
  await started.connect(space, first)
  await started.connect(space, second)
  expect([await stateOf(space, first), await stateOf(space, second)]).toEqual(['main', 'ready'])
  const chosen = await owner.domains.choose({ subdomain, domain: second })
  expect(chosen.main_url).toBe(`http://${second}`)
  expect((await owner.domains.choose({ subdomain, domain: null })).main_url).toBe(
    `http://${subdomain}.sites.example`,
  )
  expect(await eventsOf(space)).toEqual(
    expect.arrayContaining([`main_domain_changed ${second}`, `main_domain_changed ${subdomain}`]),
  )
  expect(await errorCodeOf(owner.domains.choose({ subdomain, domain: newName() }))).toBe('domain_not_found')
})

test('a space has at most ten domains, even if they are added at once', async () => {
  const { owner, subdomain } = await started.service.createSpace()
  const adding = Array.from({ length: limits.domains + 3 }, () =>
    owner.domains.add({ subdomain, domain: newName() }),
  )
  const codes = await Promise.all(adding.map(errorCodeOf))
  expect(codes.filter(code => code === 'limit_reached')).toHaveLength(3)
  expect((await owner.domains.list({ subdomain })).domains).toHaveLength(limits.domains * 2)
})

test('removing a domain removes its www. name; a domain that the space does not have is not found', async () => {
  const space = await started.service.createSpace()
  const { subdomain, owner } = space
  const name = newName()
  await owner.domains.add({ subdomain, domain: name })
  expect((await owner.domains.remove({ subdomain, domain: `www.${name}` })).domains).toEqual([])
  expect(await errorCodeOf(owner.domains.remove({ subdomain, domain: name }))).toBe('domain_not_found')
})

test('accounts take turns, so that those with many domains do not delay the checks of others', async () => {
  const { service, check } = started
  // Domains of earlier tests are not due for a day.
  await check()
  const [many, one] = [await service.createSpace(), await service.createSpace()]
  for (const { owner, subdomain } of [many, many, many, one])
    await owner.domains.add({ subdomain, domain: newName() })
  const now = new Date(Date.now() + 1_000)
  const taken = await inTransaction(service.core.database, sql => takeDueChecks(sql, now, now, 2))
  expect(taken.map(({ subdomain }) => subdomain).sort()).toEqual([many.subdomain, one.subdomain].sort())
})

test('each check is made by one process, however many look', async () => {
  const space = await started.service.createSpace()
  await started.check(400)
  await space.owner.domains.add({ subdomain: space.subdomain, domain: `deep.${newName()}` })
  const before = started.dns.questions
  await Promise.all([started.check(), started.check(), started.check()])
  // TXT, A and AAAA of the service, A and AAAA of the name, and its alias.
  expect(started.dns.questions - before).toBe(6)
})
