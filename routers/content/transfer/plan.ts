import { createHash } from 'node:crypto'
import type { Sql } from '../../../db/orm.ts'
import { listData } from '../../../db/queries/data.ts'
import { findPage, listPages } from '../../../db/queries/pages.ts'
import { findPart, listParts } from '../../../db/queries/parts.ts'
import type { Addresses } from '../../core/addresses.ts'
import { fileAddressReplacer } from './file-addresses.ts'
import { type IdentifiedFile, matchFiles, type StoredFile } from './match-files.ts'
import type { Archive } from './read-archive.ts'
import { planSettings, type SettingStep } from './settings.ts'

type Page = NonNullable<Awaited<ReturnType<typeof findPage>>>
type Part = NonNullable<Awaited<ReturnType<typeof findPart>>>
type Record = Awaited<ReturnType<typeof listData>>[number]

/** What an import does to one item. `before` is undefined if the item is added, `after` if it is deleted. */
export interface Step<Before, After> {
  before: Before | undefined
  after: After | undefined
}

/** A body with the parts that it includes by literal name. */
type Analysed<Body> = Body & { includes: string[] }

/** The content of an archive, with the parts that its bodies include. */
export type AnalysedArchive = Omit<Archive, 'pages' | 'parts'> & {
  pages: Analysed<Archive['pages'][number]>[]
  parts: Analysed<Archive['parts'][number]>[]
}

/** What an import does to a space. Items that stay the same are left out. */
export interface Plan {
  settings: SettingStep[]
  pages: Step<Page, AnalysedArchive['pages'][number]>[]
  parts: Step<Part, AnalysedArchive['parts'][number]>[]
  records: Step<Record, Archive['records'][number]>[]
  files: Step<StoredFile, IdentifiedFile>[]
}

/**
 * Compares an archive with a space. Pages are matched by slug, parts by name, records by key, and files as in {@link
 * matchFiles}. In the bodies, the addresses of the archive's files are replaced by their addresses after the import.
 *
 * @param deleteMissing whether items that are not in the archive are deleted
 */
export const planImport = async (
  sql: Sql,
  spaceId: string,
  archive: AnalysedArchive,
  { addresses, deleteMissing }: { addresses: Addresses; deleteMissing: boolean },
): Promise<Plan> => {
  const pages: Page[] = []
  for (const { id } of await listPages(sql, spaceId)) pages.push((await findPage(sql, spaceId, id))!)
  const parts: Part[] = []
  for (const { id } of await listParts(sql, spaceId)) parts.push((await findPart(sql, spaceId, id))!)
  const records = await listData(sql, spaceId)
  const { stored, files, ids } = await matchFiles(sql, spaceId, archive.files)
  const replaced = fileAddressReplacer({
    from: archive.filesDomain ?? addresses.filesDomain,
    ids,
    to: addresses,
  })
  const withReplaced = <Body extends { html: string }>(body: Body) => ({ ...body, html: replaced(body.html) })
  const stepsOf = <Before, After>(
    before: Before[],
    after: After[],
    match: (after: After) => Before | undefined,
    isSame: (before: Before, after: After) => boolean,
  ): Step<Before, After>[] => {
    const steps = after.map(one => ({ before: match(one), after: one }))
    const matched = new Set(steps.map(step => step.before))
    const missing = deleteMissing ? before.filter(one => !matched.has(one)) : []
    return [
      ...missing.map(one => ({ before: one, after: undefined })),
      ...steps.filter(step => step.before === undefined || !isSame(step.before, step.after)),
    ]
  }
  const by = <Thing, Key>(things: Thing[], keyOf: (thing: Thing) => Key) =>
    new Map(things.map(thing => [keyOf(thing), thing]))
  const pagesBySlug = by(pages, ({ slug }) => slug)
  const partsByName = by(parts, ({ name }) => name)
  const recordsByKey = by(records, ({ key }) => key)
  const filesById = by(stored, ({ id }) => id)
  return {
    settings: await planSettings(sql, spaceId, archive, deleteMissing),
    pages: stepsOf(
      pages,
      archive.pages.map(withReplaced),
      ({ slug }) => pagesBySlug.get(slug),
      (before, after) => before.kind === after.kind && before.html === after.html,
    ),
    parts: stepsOf(
      parts,
      archive.parts.map(withReplaced),
      ({ name }) => partsByName.get(name),
      (before, after) => before.html === after.html,
    ),
    records: stepsOf(
      records,
      archive.records.map(record => ({ ...record, value: replacedInJson(replaced, record.value) })),
      ({ key }) => recordsByKey.get(key),
      (before, after) => before.description === after.description && before.value === after.value,
    ),
    files: stepsOf(
      stored,
      files,
      ({ id }) => filesById.get(id ?? ''),
      (before, after) => before.name === after.name && after.digest.equals(before.digest),
    ),
  }
}

/** Replaces addresses in JSON text. */
const replacedInJson = (replaced: (text: string) => string, json: string): string => {
  const text = replaced(json)
  // Parse the text, because two names in an object can become the same.
  return text === json ? json : JSON.stringify(JSON.parse(text))
}

/** Returns an id that identifies a plan and the current versions of the items that it changes. */
export const digestOfPlan = (plan: Plan): string => {
  const lines = Object.entries(plan).flatMap(([kind, steps]) =>
    (steps as Step<{ updated_at: Date }, object>[]).map(({ before, after }) =>
      JSON.stringify([kind, before, after]),
    ),
  )
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}
