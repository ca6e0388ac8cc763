import type { FileContent, NewContent } from '../../../db/file-store/content.ts'
import { newId } from '../../../db/id.ts'
import { keepContent } from '../../../db/queries/files.ts'
import type { ItemKind } from '../../../db/queries/item-rows.ts'
import { deleteItems, type ImportedItem, keepContents, putItems } from '../../../db/queries/many-items.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { contentTypeOf } from '../files/content-type.ts'
import type { Plan, Step } from './plan.ts'

/**
 * Applies a plan with few statements. For each kind of item, deletions come first, so that limits hold at every
 * step.
 *
 * @param staged new file contents that are already in the file store. If the list is empty, the function writes the new
 * file contents to the database.
 */
export const applyPlan = async (
  write: SpaceWrite,
  plan: Plan,
  staged: readonly FileContent[],
): Promise<void> => {
  const now = new Date()
  for (const { apply } of plan.settings) await apply(write)
  await applySteps(write, 'page', plan.pages, ({ id }) => id, pageItem(now))
  await applySteps(write, 'part', plan.parts, ({ id }) => id, partItem(now))
  await applySteps(write, 'record', plan.records, ({ key }) => key, recordItem)
  for (const content of staged) await keepContent(write, content)
  if (staged.length === 0) await keepContents(write, newContents(plan))
  await applySteps(write, 'file', plan.files, ({ id }) => id, fileItem(now, write.author.accountId))
}

/** Returns the new state of an item. `before` is undefined if the item is added. */
type ItemOf<Before, After> = (
  after: After,
  before: Before | undefined,
) => ImportedItem | Promise<ImportedItem>

const applySteps = async <Before, After>(
  write: SpaceWrite,
  kind: ItemKind,
  steps: readonly Step<Before, After>[],
  idOf: (before: Before) => string,
  itemOf: ItemOf<Before, After>,
): Promise<void> => {
  const deleted = steps.flatMap(({ before, after }) => (before && !after ? [idOf(before)] : []))
  await deleteItems(write, kind, deleted)
  async function* items(isNew: boolean) {
    for (const { before, after } of steps)
      if (after && (before === undefined) === isNew) yield await itemOf(after, before)
  }
  await putItems(write, kind, 'change', items(false))
  await putItems(write, kind, 'add', items(true))
}

type Of<Kind extends 'pages' | 'parts' | 'records' | 'files'> =
  Plan[Kind][number] extends Step<infer Before, infer After> ? ItemOf<Before, After> : never

const pageItem =
  (now: Date): Of<'pages'> =>
  async (after, before) => {
    const { body, created_at: _created, updated_at: _updated, ...fields } = after
    const { html, includes } = await body.load()
    const { created_at, updated_at } = datesOf(after, now)
    return {
      thing: before?.id ?? newId(),
      fields: { ...fields, includes, created_at },
      body: html,
      digest: null,
      content_type: null,
      updated_at,
    }
  }

const partItem =
  (now: Date): Of<'parts'> =>
  ({ html, ...fields }, before) => ({
    thing: before?.id ?? newId(),
    fields: { ...fields, created_at: now },
    body: html,
    digest: null,
    content_type: null,
  })

const recordItem: Of<'records'> = ({ key, value, ...fields }) => ({
  thing: key,
  fields,
  body: value,
  digest: null,
  content_type: null,
})

const fileItem =
  (now: Date, uploadedBy: string): Of<'files'> =>
  ({ id, name, size, digest }, before) => ({
    thing: before?.id ?? id ?? newId(),
    fields: { name, size, created_at: now, uploaded_by_id: uploadedBy },
    body: null,
    digest,
    content_type: contentTypeOf(name),
  })

/** Reads the bytes of files that are added or whose bytes change. Yields equal bytes only once. */
export async function* newContents({ files }: Plan): AsyncGenerator<NewContent> {
  const seen = new Set<string>()
  for (const { before, after } of files) {
    const key = after?.digest.toString('hex')
    if (!after || key === undefined || seen.has(key) || (before && after.digest.equals(before.digest)))
      continue
    seen.add(key)
    yield { digest: after.digest, size: after.size, bytes: await after.read() }
  }
}

/** The dates of an added page, which the lists of a site show. They are never in the future. */
const datesOf = (
  { created_at, updated_at }: { created_at?: string | undefined; updated_at?: string | undefined },
  now: Date,
) => {
  const past = (date: string | undefined) =>
    Math.min(date === undefined ? Infinity : Date.parse(date), now.getTime())
  const created = past(created_at)
  return {
    created_at: new Date(created),
    updated_at: new Date(Math.max(created, past(updated_at ?? created_at))),
  }
}
