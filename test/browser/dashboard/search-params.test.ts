import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

let space: TestSpace
/** Ids for the placeholders in the paths of `VIEWS`. */
const ids = { key: '', page: '', change: '' }

beforeAll(async () => {
  space = await dashboard.service.createSpace()
  const { owner, subdomain, api } = space
  ids.page = (await api.post<{ id: string }>('/pages', { slug: 'about', html: '<p>one</p>' })).body.id
  await api.post('/files', { name: 'a.txt', content: 'one', encoding: 'text' })
  await api.put('/data/events', { value: 1 })
  await owner.posts.create({ html: 'one' })
  await owner.writing.createDraft({ html: 'two' })
  const { changes } = await owner.history.list({ subdomain })
  ids.change = changes[0]!.id
  ids.key = changes[0]!.actor.id
})

const LONG = 'x'.repeat(1000)

/** For each type of parameter: values that no parameter of this type accepts. */
const WRONG = {
  id: ['-1', '["a"]', LONG],
  change: ['1e9', '{"a":1}', LONG],
  minute: ['abc', '2026-02-31T10:00', '9999-12-31T23:59'],
  day: ['-1', '2026-02-31', '9999-12-31'],
  name: ['__proto__', '["grid"]', LONG],
  flag: ['1e9', '["true"]', 'false'],
  text: ['\0', ' ', LONG],
} as const

type Type = keyof typeof WRONG

/** Waits until the view shows what it would show without the wrong parameters. */
type Default = (page: Page) => Promise<unknown>

const row =
  (list: string, text: string): Default =>
  page =>
    page.getByRole('list', { name: list }).getByText(text, { exact: true }).first().waitFor()

const everyChange: Default = async page => {
  for (const name of ['events', 'a.txt', 'about'])
    await page.getByRole('link', { name: `View change of ${name}` }).waitFor()
}

const value =
  (field: string, text: string): Default =>
  async page => {
    const input = page.getByRole('textbox', { name: field, exact: true })
    await expect.poll(() => input.inputValue()).toBe(text)
  }

const chosen =
  (option: string): Default =>
  async page => {
    await expect.poll(() => page.getByRole('radio', { name: option }).isChecked()).toBe(true)
  }

/**
 * For each view: its path with the valid parameters that it needs, the type of each parameter that gets wrong
 * values, and a function that waits until the view has ignored those values.
 */
const VIEWS: [path: string, wrong: Record<string, Type>, shows: Default][] = [
  ['/posts', { show: 'name' }, chosen('All 2')],
  ['/new-post', { format: 'name', draft: 'id' }, chosen('Markdown')],
  [
    '/account/audit',
    { topic: 'name', who: 'text', from: 'day', to: 'day' },
    row('Events', 'Token issued: test'),
  ],
  ['/account/tokens', { issue: 'flag', rotate: 'id', revoke: 'id' }, row('Tokens and apps', 'test')],
  ['{space}/keys', { issue: 'flag', rotate: 'id', revoke: 'id', connect: 'flag' }, row('Keys', 'test')],
  ['{space}/new-page', { draft: 'id', example: 'name', at: 'id' }, value('Slug', '')],
  ['{space}/pages/{page}', { draft: 'id', example: 'name', at: 'id' }, value('Slug', 'about')],
  ['{space}/new-part', { draft: 'id', at: 'id' }, value('Name', '')],
  ['{space}/new-record', { draft: 'id', key: 'text', at: 'text' }, value('Key', '')],
  ['{space}/data', { q: 'text' }, row('Records', 'events')],
  ['{space}/files', { q: 'text', sort: 'name', layout: 'name' }, row('Files', 'a.txt')],
  [
    '{space}/audit',
    { topic: 'name', who: 'text', from: 'day', to: 'day' },
    row('Events', 'Key issued: test'),
  ],
  ['{space}/history', { kind: 'name', thing: 'text', actor: 'id', when: 'name', undo: 'flag' }, everyChange],
  ['{space}/history?when=between', { from: 'minute', to: 'minute' }, everyChange],
  ['{space}/history?actor={key}', { undo: 'flag' }, everyChange],
  [
    '{space}/history/compare',
    { from: 'change' },
    page => page.getByRole('heading', { name: 'No versions chosen' }).waitFor(),
  ],
  [
    '{space}/history/compare?from={change}',
    { to: 'change' },
    page => page.getByText('An earlier version and the current one.').waitFor(),
  ],
]

test('views ignore wrong search parameters and remove them from the address', async () => {
  const { page, context, open } = await dashboard.as(space.owner)
  for (const [view, wrong, shows] of VIEWS) {
    const path = view
      .replace('{space}', `/spaces/${space.subdomain}`)
      .replace(/\{(key|page|change)\}/, (_, name: keyof typeof ids) => ids[name])
    for (const index of [0, 1, 2] as const) {
      const given = Object.entries(wrong).map(([name, type]): [string, string] => [name, WRONG[type][index]])
      await open(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`)
      await shows(page)
      const shown = await page.getByRole('alert').or(page.getByRole('dialog')).allInnerTexts()
      expect(shown, `${view} with ${given.join(' ')}`).toEqual([])
      const left = new URL(page.url()).searchParams
      for (const [name, value] of given) expect(left.get(name), `${view} with ${name}`).not.toBe(value)
    }
    if (view.endsWith('/compare')) await expectAccessible(page, 'history-compare-nothing')
  }
  await context.close()
})
