import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { listData } from '../../../db/queries/data.ts'
import { listPagesContaining, listPartsContaining } from '../../../db/queries/find.ts'
import { findPage } from '../../../db/queries/pages.ts'
import { findPart } from '../../../db/queries/parts.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import type { SpaceScope } from '../../api/scopes.ts'
import { DataWrite } from '../data/schema.ts'
import { PageFields } from '../pages/schema.ts'
import { PartFields } from '../parts/schema.ts'
import { StaleError } from '../retry-stale.ts'
import type { Input, PageWrite, PartWrite, RecordWrite, Replaced, Writes } from './schema.ts'

type Replacement = NonNullable<Input['replace']>

/** A call's writes together with those that its replacement makes. The items of the call come first, in their order. */
export interface WithReplacements extends Writes {
  /** The items in which the text occurs. */
  replaced: z.output<typeof Replaced>[]
}

/**
 * Replaces a text in the bodies and values of a call, and in all other pages, parts and records that the caller can
 * write.
 *
 * @throws `limit_reached` if the text occurs in too many items, `validation_failed` if an item would become invalid,
 * StaleError if an item changes meanwhile
 */
export const replaceEverywhere = async (
  { core, sql, space, accountId, scopes }: SpaceCall,
  writes: Writes,
  { old, new: replacement }: Replacement,
): Promise<WithReplacements> => {
  const canWrite = (scope: SpaceScope) => scopes.includes(scope)
  const most = limits.renamedUses + 1
  const [pages, parts] = await core.slowQueries.run(accountId, 1, async () => [
    canWrite('pages') ? await listPagesContaining(sql, space.id, old, most) : [],
    canWrite('pages') ? await listPartsContaining(sql, space.id, old, most) : [],
  ])
  requireFew([...pages, ...parts])
  const replaced: WithReplacements['replaced'] = []
  const inText = (text: string) => text.replaceAll(old, () => replacement)
  const note = (kind: 'page' | 'part' | 'record', name: string, count: number) => {
    if (count > 0) replaced.push({ kind, name, count })
  }

  const inBody = (kind: 'page' | 'part', name: string, html: string): string => {
    const count = html.split(old).length - 1
    if (count === 0) return html
    note(kind, name, count)
    const schema = kind === 'page' ? PageFields : PartFields
    const result = schema.shape.html.safeParse(inText(html))
    if (result.success) return result.data
    throw invalid(
      'replace.new',
      `must leave a valid body: the html of the ${kind} “${name}” ${result.error.issues[0]!.message}`,
    )
  }
  const inValue = (key: string, value: unknown): unknown => {
    let count = 0
    const changed: unknown = JSON.parse(JSON.stringify(value), (_, item: unknown) => {
      if (typeof item !== 'string') return item
      count += item.split(old).length - 1
      return inText(item)
    })
    if (count === 0) return value
    note('record', key, count)
    const result = DataWrite.shape.value.safeParse(changed)
    if (result.success) return changed
    throw invalid(
      'replace.new',
      `must leave a valid value: the record “${key}” ${result.error.issues[0]!.message}`,
    )
  }

  const sent = {
    pages: writes.pages.map(page =>
      page.html === undefined
        ? page
        : { ...page, html: inBody('page', page.new_slug ?? page.slug, page.html) },
    ),
    parts: writes.parts.map(part =>
      part.html === undefined
        ? part
        : { ...part, html: inBody('part', part.new_name ?? part.name, part.html) },
    ),
    records: writes.records.map(record => ({ ...record, value: inValue(record.key, record.value) })),
  }
  // A page or part that the call renames or moves to another kind keeps its body, so the text is replaced in this body.
  for (const { id, slug } of pages) {
    const at = sent.pages.findIndex(page => page.slug === slug)
    const own = sent.pages[at]
    if (own?.html !== undefined) continue
    const page = await findPage(sql, space.id, id)
    if (!page) throw new StaleError()
    const html = inBody('page', own?.new_slug ?? slug, page.html)
    const write: PageWrite = { place: 'replace', ...own, slug, html, read: page.updated_at }
    if (own) sent.pages[at] = write
    else sent.pages.push(write)
  }
  for (const { id, name } of parts) {
    const at = sent.parts.findIndex(part => part.name === name)
    const own = sent.parts[at]
    if (own?.html !== undefined) continue
    const part = await findPart(sql, space.id, id)
    if (!part) throw new StaleError()
    const html = inBody('part', own?.new_name ?? name, part.html)
    const write: PartWrite = { place: 'replace', ...own, name, html, read: part.updated_at }
    if (own) sent.parts[at] = write
    else sent.parts.push(write)
  }
  const records: RecordWrite[] = sent.records
  const given = new Set(records.map(({ key }) => key))
  for (const record of canWrite('data') ? await listData(sql, space.id) : []) {
    if (given.has(record.key)) continue
    // The records of a space can have a megabyte; let other requests go between two of them.
    await setImmediate()
    const before: unknown = JSON.parse(record.value)
    const value = inValue(record.key, before)
    if (value !== before) records.push({ place: 'replace', key: record.key, value, read: record.updated_at })
  }
  return { pages: sent.pages, parts: sent.parts, records, replaced }
}

const requireFew = (bodies: readonly { length: number }[]) => {
  if (bodies.length > limits.renamedUses)
    throw new Problem('limit_reached', {
      detail: `The text occurs in more than ${limits.renamedUses} pages and parts, so it can’t be replaced in all of them at once. Include more of the text around it.`,
    })
  if (bodies.reduce((sum, { length }) => sum + length, 0) > limits.renamedText)
    throw new Problem('limit_reached', {
      detail: `The pages and parts that contain the text have more than ${limits.renamedText} characters, so it can’t be replaced in all of them at once. Include more of the text around it.`,
    })
}
