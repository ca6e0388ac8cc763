import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestServiceWithoutLimits } from '../oauth/support/flow.ts'
import { spaceFlow } from '../oauth/support/space-flow.ts'
import type { TestSpace } from '../support/test-service.ts'
import { type Ended, useComputer } from './support/terminal.ts'

const service = useTestServiceWithoutLimits()
const computer = useComputer()
const { browserOf } = spaceFlow(service)

const ROOT = 'http://localhost'
let space: TestSpace
let at: string
let keysFile: string
beforeEach(async () => {
  space = await service.createSpace()
  at = `${ROOT}/admin/spaces/${space.subdomain}`
  keysFile = path.join(computer.home, '.config/space-site/keys.json')
  await writeFile(keysFile, '{}').catch(() => {})
})

/** The service has the address that it is configured with, on another port. */
const request: typeof fetch = (to, init) => fetch((to as string).replace(ROOT, service.root), init)
const run = (folder: string, ...argv: string[]) => computer.space(folder, argv, { fetch: request })

type Answer = (page: Awaited<ReturnType<typeof decisionPage>>) => Promise<URL>
const decisionPage = async (address: string, owner = space) => {
  const browser = await browserOf(owner)
  return { browser, page: await browser.authorize(new URL(address).search.slice(1)) }
}
const agree =
  (subdomain: string): Answer =>
  async ({ browser, page }) =>
    (await browser.decide(page, 'allow', page.checkedScopes, subdomain)).location!

/** Runs the command, while a person decides in the browser. */
const login = (
  answer: Answer,
  argv: readonly string[] = [at],
  folder = '',
  owner = space,
  command = 'login',
): Promise<Ended> =>
  computer.space(folder, [command, ...argv], {
    fetch: request,
    browse: address =>
      void decisionPage(address, owner)
        .then(answer)
        .then(location => fetch(location)),
  })

const keys = () => space.owner.keys.list({ subdomain: space.subdomain })
const ended = (text: string) => expect.objectContaining({ code: 1, err: expect.stringContaining(text) })

describe('space login in the browser', () => {
  test('stores access to one space, which the dashboard lists and space logout ends', async () => {
    let chosen: string | undefined
    const done = await login(async shown => {
      chosen = /<option value="(\w+)" selected>/.exec(shown.page.text)?.[1]
      expect(shown.page.checkedScopes).toEqual(['pages', 'data', 'files', 'files_write'])
      return agree(space.subdomain)(shown)
    })
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`space clone ${at}`) })
    expect(chosen).toBe(space.subdomain)
    expect(((await stat(keysFile)).mode & 0o777).toString(8)).toBe('600')
    expect(await run('', 'clone', at)).toMatchObject({ code: 0 })
    const key = (await keys()).find(({ client }) => client !== null)
    expect(key).toMatchObject({ label: 'The command space', client: { is_command: true } })
    expect(await run(space.subdomain, 'logout')).toMatchObject({ code: 0, out: 'The access has ended.\n' })
    expect(await keys()).toHaveLength(1)
    expect(await run(space.subdomain, 'pull')).toEqual(ended('There is no key'))
  })

  test('gives a folder that has no space the one that is chosen in the browser', async () => {
    const folder = `new-${space.subdomain}`
    await computer.space('', ['clone', at, folder], {
      fetch: request,
      env: { HOME: computer.home, SPACE_URL: at, SPACE_KEY: await space.key('pages', 'data', 'files') },
    })
    await writeFile(path.join(computer.home, folder, 'space.json'), '{"address": null}')
    expect(await run(folder, 'push')).toEqual(ended('run space login with the address of the service'))
    expect(await login(agree(space.subdomain), [`${ROOT}/admin`], folder)).toMatchObject({ code: 0 })
    expect(JSON.parse(await readFile(path.join(computer.home, folder, 'space.json'), 'utf8'))).toEqual({
      address: at,
    })
    expect(await run(folder, 'status')).toMatchObject({ code: 0 })
  })

  test('begins by itself when a space is cloned', async () => {
    const cloned = await login(agree(space.subdomain), [at], '', space, 'clone')
    expect(cloned).toMatchObject({ code: 0 })
    expect(await run(space.subdomain, 'status')).toMatchObject({ code: 0 })
  })

  test('keeps nothing when another space is chosen, and when the person refuses', async () => {
    const other = await service.createSpace(undefined, space.owner)
    expect(await login(agree(other.subdomain))).toEqual(ended(`You chose the space ${other.subdomain}`))
    expect(await other.owner.keys.list({ subdomain: other.subdomain })).toHaveLength(1)
    const refuse: Answer = async ({ browser, page }) => (await browser.decide(page, 'deny')).location!
    expect(await login(refuse)).toEqual(ended('You did not agree'))
    expect(await keys()).toHaveLength(1)
  })

  test('ignores what other programs send to its port', async () => {
    const statuses: number[] = []
    const done = await login(async shown => {
      const location = await agree(space.subdomain)(shown)
      const forged = new URL(location)
      forged.searchParams.set('state', 'guessed')
      for (const address of [forged, new URL('/favicon.ico', location)])
        statuses.push((await fetch(address)).status)
      return location
    })
    expect([done.code, statuses]).toEqual([0, [404, 404]])
  })
})

describe('the access of a computer', () => {
  const expire = async () => {
    const text = await readFile(keysFile, 'utf8')
    await writeFile(keysFile, text.replace(/"expires_at": \d+/, '"expires_at": 0'))
  }

  test('is renewed once when several commands run at once, and lasts', async () => {
    await login(agree(space.subdomain))
    await run('', 'clone', at)
    for (let round = 0; round < 2; round++) {
      await expire()
      const all = await Promise.all([1, 2, 3].map(() => run(space.subdomain, 'log')))
      expect(all.map(({ code, err }) => [code, err])).toEqual(Array.from({ length: 3 }, () => [0, '']))
    }
    expect(await keys()).toHaveLength(2)
  })

  test('is renewed although a command that was killed has left its lock', async () => {
    await login(agree(space.subdomain))
    await run('', 'clone', at)
    await expire()
    await writeFile(`${keysFile}.lock`, '')
    expect(await run(space.subdomain, 'log')).toMatchObject({ code: 0 })
  })

  test('is renewed when the service refuses it, although it should still work', async () => {
    await login(agree(space.subdomain))
    await run('', 'clone', at)
    const text = await readFile(keysFile, 'utf8')
    const wrong = text.replace(/"access_token": "ss_sk_\w{4}/, '"access_token": "ss_sk_aaaa')
    await writeFile(keysFile, wrong)
    expect(await run(space.subdomain, 'log')).toMatchObject({ code: 0 })
  })

  test('that was ended in the dashboard is over, in one sentence', async () => {
    await login(agree(space.subdomain))
    await run('', 'clone', at)
    const key = (await keys()).find(({ client }) => client?.is_command)!
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id: key.id })
    expect(await run(space.subdomain, 'pull')).toEqual(ended('Your sign-in at http://localhost has ended'))
  })
})
