import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits, rules } from '../../routers/api/rules.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, lockSpace, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()
let owner: Person
let subdomain: string

beforeEach(async () => {
  ;({ owner, subdomain } = await service.createSpace())
})

interface Item {
  id: string
  updated_at: string
}

const page = (slug: string, html: string) => owner.pages.create({ subdomain, slug, kind: 'static', html })
const part = (name: string, html: string) => owner.parts.create({ subdomain, name, html })
const pageHtml = async ({ id }: Item) => (await owner.pages.get({ subdomain, page_id: id })).html
const partNow = ({ id }: Item) => owner.parts.get({ subdomain, part_id: id })

/** Renames a part to `menu`, and replaces its name in everything that includes it. */
const rename = async (
  saved: Item,
  change: { name?: string; html?: string; uses?: { pages: string[]; parts: string[] }; base?: string } = {},
) => {
  const { html, used_by } = await partNow(saved)
  const uses = { pages: used_by.pages.map(({ id }) => id), parts: used_by.parts.map(({ id }) => id) }
  const fields = { name: 'menu', html, uses, base: saved.updated_at, ...change }
  return owner.editing.savePart({ subdomain, part_id: saved.id, ...fields })
}

describe('renaming a part together with every reference to it', () => {
  test('replaces the name in the pages and parts that include it, and nowhere else', async () => {
    const nav = await part('nav', 'first')
    const home = await page(
      'home',
      `nav {% render 'nav' for pages %}{% comment %}{% render 'nav' %}{% endcomment %}`,
    )
    const broken = await page('broken', '{% if x %}{%- include "nav" -%}')
    const other = await page('other', '{% raw %}{% render "nav" %}{% endraw %}{% render "nav-2" %}')
    const frame = await part('frame', '{% liquid\n include "nav"\n%}')
    const response = await rename(nav, { html: 'second' })
    expect(response).toMatchObject({ saved: true, part: { id: nav.id, name: 'menu' } })
    expect(await pageHtml(home)).toBe(
      `nav {% render 'menu' for pages as nav %}{% comment %}{% render 'nav' %}{% endcomment %}`,
    )
    expect(await pageHtml(broken)).toBe('{% if x %}{%- include "menu" -%}')
    expect(await owner.pages.get({ subdomain, page_id: other.id })).toMatchObject({
      html: '{% raw %}{% render "nav" %}{% endraw %}{% render "nav-2" %}',
      updated_at: other.updated_at,
    })
    expect(await partNow(frame)).toMatchObject({ html: '{% liquid\n include "menu"\n%}' })
    expect(await partNow(nav)).toMatchObject({
      html: 'second',
      used_by: {
        pages: [
          { id: broken.id, slug: 'broken' },
          { id: home.id, slug: 'home' },
        ],
        parts: [{ id: frame.id, name: 'frame' }],
      },
    })
    const { updated_at } = await owner.pages.get({ subdomain, page_id: home.id })
    expect(updated_at > home.updated_at).toBe(true)
  })

  test('is one operation in the history, which can be undone as a whole', async () => {
    const nav = await part('nav', 'first')
    const home = await page('home', '{% render "nav" %}')
    const frame = await part('frame', '{% include "nav" %}')
    await rename(nav)
    const { changes } = await owner.history.list({ subdomain })
    const [latest] = changes
    const together = changes.filter(({ operation }) => operation !== null && operation === latest?.operation)
    expect(new Set(together.map(({ thing, action, cause }) => `${thing} ${action} ${cause}`))).toEqual(
      new Set([`${nav.id} rename write`, `${home.id} change write`, `${frame.id} change write`]),
    )
    await owner.history.undo({ subdomain, operation: latest?.operation ?? '' })
    expect(await pageHtml(home)).toBe('{% render "nav" %}')
    expect(await partNow(frame)).toMatchObject({ html: '{% include "nav" %}' })
    expect(await partNow(nav)).toMatchObject({ name: 'nav', used_by: { pages: [{ id: home.id }] } })
    expect((await sql.raw(HISTORY_FAULTS).execute(service.core.database)).rows).toEqual([])
  })

  test('writes nothing if the part is included by a page that the person was not shown', async () => {
    const nav = await part('nav', 'first')
    const home = await page('home', '{% render "nav" %}')
    const uses = { pages: [home.id], parts: [] }
    const late = await page('late', '{% render "nav" %}')
    expect(await errorCodeOf(rename(nav, { uses }))).toBe('space_changed')
    expect(await errorCodeOf(rename(nav, { uses: { pages: [home.id, late.id, nav.id], parts: [] } }))).toBe(
      'space_changed',
    )
    expect(await pageHtml(home)).toBe('{% render "nav" %}')
    expect(await partNow(nav)).toMatchObject({ name: 'nav', updated_at: nav.updated_at })
  })

  test('writes nothing if someone else saved the part first, and returns their version', async () => {
    const nav = await part('nav', 'first')
    const home = await page('home', '{% render "nav" %}')
    await owner.parts.update({ subdomain, part_id: nav.id, html: 'theirs' })
    expect(await rename(nav, { html: 'mine' })).toMatchObject({ saved: false, theirs: { html: 'theirs' } })
    expect(await pageHtml(home)).toBe('{% render "nav" %}')
  })

  test('keeps an edit that is saved while the rename waits for the lock of the space', async () => {
    const nav = await part('nav', 'first')
    const home = await page('home', '{% render "nav" %}')
    const held = await holdLocks(service, db => lockSpace(db, subdomain))
    const renaming = rename(nav)
    try {
      // The rename reads the page before it waits for the lock.
      await waitForBlocked(service, 1)
      await held.run(async db => {
        await sql`set local session_replication_role = replica`.execute(db)
        await db
          .updateTable('pages')
          .set({ html: 'edited {% render "nav" %}', updated_at: new Date(Date.now() + 1000) })
          .where('id', '=', home.id)
          .execute()
      })
    } finally {
      await held.commit()
    }
    expect(await renaming).toMatchObject({ saved: true, part: { name: 'menu' } })
    expect(await pageHtml(home)).toBe('edited {% render "menu" %}')
  })

  test('writes nothing if the name is taken or invalid, or if a cycle, a length limit or a quota forbids it', async () => {
    const nav = await part('nav', '{% render "inner" %}')
    const home = await page('home', '{% render "nav" %}')
    await part('frame', '{% include "nav" %}')
    await part('inner', '{% render "menu" %}')
    expect(await errorCodeOf(rename(nav, { name: 'frame' }))).toBe('part_name_taken')
    expect(await errorFields(rename(nav, { name: 'Frame' }))).toEqual(['name'])
    expect(await errorFields(rename(nav))).toEqual(['name'])
    expect(await errorFields(rename(nav, { html: '{% render "frame" %}' }))).toEqual(['html'])
    const full = '{% render "nav" %}'.padEnd(rules.page.html_max_length, 'x')
    const long = await page('long', full)
    expect(await errorFields(rename(nav, { name: 'menu-2' }))).toEqual(['name'])
    await owner.pages.delete({ subdomain, page_id: long.id })
    for (const name of ['a', 'b', 'c']) await part(name, 'x'.repeat(rules.part.html_max_length))
    const used = ['{% render "inner" %}', '{% include "nav" %}', '{% render "menu" %}'].join('').length
    const rest = rules.part.total_max_length - 3 * rules.part.html_max_length - used
    await part('d', 'x'.repeat(rest))
    expect(await errorCodeOf(rename(nav, { name: 'menu-2' }))).toBe('parts_quota_exceeded')
    expect(await pageHtml(home)).toBe('{% render "nav" %}')
    expect(await partNow(nav)).toMatchObject({ name: 'nav', updated_at: nav.updated_at })
    expect(await rename(nav, { name: 'top' })).toMatchObject({ saved: true, part: { name: 'top' } })
  })

  test('is refused if too many pages and parts include the part', async () => {
    const nav = await part('nav', 'first')
    const ids = Array.from({ length: limits.renamedUses }, (_, at) => String(at).padStart(16, '2'))
    expect(await errorFields(rename(nav, { uses: { pages: ids, parts: [nav.id] } }))).toEqual(['uses'])
    expect(await errorCodeOf(rename(nav, { uses: { pages: ids, parts: [] } }))).toBe('space_changed')
  })

  test('is refused if the bodies that include the part are too long in total', async () => {
    const nav = await part('nav', 'first')
    const html = '{% render "nav" %}'.padEnd(rules.page.html_max_length, 'x')
    const count = limits.renamedText / html.length + 1
    let last: Item = nav
    for (let at = 0; at < count; at += 1) last = await page(`page-${at}`, html)
    expect(await errorCodeOf(rename(nav, { name: 'top' }))).toBe('limit_reached')
    expect(await partNow(nav)).toMatchObject({ name: 'nav', updated_at: nav.updated_at })
    expect((await pageHtml(last)).startsWith('{% render "nav" %}x')).toBe(true)
  })

  test('is for participants only', async () => {
    const nav = await part('nav', 'first')
    const outsider = await service.signUp()
    const call = outsider.editing.savePart({
      subdomain,
      part_id: nav.id,
      name: 'menu',
      html: 'x',
      base: nav.updated_at,
      uses: { pages: [], parts: [] },
    })
    expect(await errorCodeOf(call)).toBe('space_not_found')
  })
})
