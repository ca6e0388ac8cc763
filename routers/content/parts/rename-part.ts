import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { updateItem } from '../../../db/queries/item-rows.ts'
import { findPage } from '../../../db/queries/pages.ts'
import {
  findPart,
  listPagesIncludingDirectly,
  listPartEdges,
  listPartsIncludingDirectly,
} from '../../../db/queries/parts.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after } from '../../api/precondition.ts'
import { invalid, Problem } from '../../api/problem.ts'
import type { PartRename } from '../../api/renderer.ts'
import { limits } from '../../api/rules.ts'
import { includesOf } from '../includes.ts'
import { checkPart } from '../limits.ts'
import type { PageRow } from '../pages/change-page.ts'
import { PageFields } from '../pages/schema.ts'
import { retryStale, StaleError } from '../retry-stale.ts'
import { changePart, nextPart, type PartRow } from './change-part.ts'
import { PartFields } from './schema.ts'

/** The ids of pages and parts. */
interface Ids {
  pages: string[]
  parts: string[]
}

/**
 * Changes a part. If the part gets a new name, also writes the new name into all pages and parts that include the part
 * by its literal name. If one of these writes fails, nothing is changed.
 *
 * @param fields the new fields of the part
 * @param uses the pages and parts that include the part, as far as the caller knows
 * @param check throws to refuse the change. Called with the stored part while the space is locked. If the part gets a
 * new name, also called before the space is locked.
 * @throws `space_changed` if the pages and parts that include the part differ from `uses`, `validation_failed` if the
 * new name can't be written into one of the bodies, `limit_reached`, and what `changePart` throws
 */
export const renamePart = (
  ctx: SpaceCall,
  id: string,
  fields: z.output<typeof PartFields>,
  uses: Ids,
  check: (before: PartRow) => void,
): Promise<PartRow> =>
  retryStale(async () => {
    const { space } = ctx
    const stored = await findPart(ctx.sql, space.id, id)
    if (!stored) throw new Problem('part_not_found')
    const operation = { cause: 'write', id: newId() } as const
    const write: SpaceCall['write'] = work => ctx.write(work, operation)
    if (stored.name === fields.name) return changePart({ ...ctx, write }, id, fields, check)
    check(stored)
    const users = await usersOf(ctx.sql, space.id, stored.name)
    requireKnown(users, uses)
    const rename = { from: stored.name, to: fields.name }
    const bodies = await renamedBodies(ctx, users, rename)
    const includes = fields.html === stored.html ? undefined : await includesOf(ctx, fields.html)
    return write(async current => {
      const { sql } = current
      const before = await findPart(sql, space.id, id)
      if (!before) throw new Problem('part_not_found')
      check(before)
      if (before.name !== rename.from || !isSame(await usersOf(sql, space.id, rename.from), users))
        throw new StaleError()
      const part = nextPart(before, fields, includes)
      await updateItem(current, 'part', id, part)
      for (const { row, body } of bodies.pages)
        await updateItem(current, 'page', row.id, { ...row, ...body, updated_at: after(row.updated_at) })
      for (const { row, body } of bodies.parts)
        await updateItem(current, 'part', row.id, nextPart(row, body, body.includes))
      const edges = await listPartEdges(sql, space.id)
      checkPart(edges, part, part.html === before.html ? 'name' : 'html')
      return part
    })
  }, BUSY)

/** The error when others keep changing the pages and parts that include the part. */
const BUSY = () =>
  new Problem('space_changed', {
    detail: 'Others keep changing the pages and parts that use this part. Nothing was written. Try again.',
  })

type Users = Awaited<ReturnType<typeof usersOf>>

/** Lists the pages and parts that include a part. */
const usersOf = async (sql: Sql, spaceId: string, name: string) => {
  const [pages, parts] = await Promise.all([
    listPagesIncludingDirectly(sql, spaceId, name),
    listPartsIncludingDirectly(sql, spaceId, name),
  ])
  return { pages, parts }
}

const versions = ({ pages, parts }: Users) =>
  [...pages, ...parts].map(({ id, updated_at }) => `${id} ${updated_at.toISOString()}`).join()

const isSame = (a: Users, b: Users) => versions(a) === versions(b)

/** Refuses a rename if the caller does not know all pages and parts that the rename would change. */
const requireKnown = (users: Users, uses: Ids) => {
  const hasSameIds = (rows: { id: string }[], ids: string[]) =>
    rows
      .map(({ id }) => id)
      .sort()
      .join() === [...ids].sort().join()
  if (!hasSameIds(users.pages, uses.pages) || !hasSameIds(users.parts, uses.parts))
    throw new Problem('space_changed', {
      detail: 'Other pages or parts use this part now. Nothing was written. Save again to see which.',
    })
}

/** A body with the new name, and the names of the parts that it includes. */
interface Body {
  html: string
  includes: string[]
}

/** Reads the bodies of pages and parts, and replaces the name of a part in them. */
const renamedBodies = async (ctx: SpaceCall, users: Users, rename: PartRename) => {
  const { space, sql } = ctx
  let length = 0
  const read = async <Row extends { html: string; updated_at: Date }>(
    find: Promise<Row | undefined>,
    { updated_at }: { updated_at: Date },
  ): Promise<Row> => {
    const row = await find
    if (row?.updated_at.getTime() !== updated_at.getTime()) throw new StaleError()
    length += row.html.length
    if (length > limits.renamedText)
      throw new Problem('limit_reached', {
        detail: `The pages and parts that include this part have more than ${limits.renamedText} characters, so its name can't be replaced in all of them at once.`,
      })
    return row
  }
  const bodies = {
    pages: [] as { row: PageRow; body: Body }[],
    parts: [] as { row: PartRow; body: Body }[],
  }
  for (const user of users.pages) {
    const row = await read(findPage(sql, space.id, user.id), user)
    bodies.pages.push({ row, body: await renamedBody(ctx, `page “${row.slug}”`, row.html, rename) })
  }
  for (const user of users.parts) {
    const row = await read(findPart(sql, space.id, user.id), user)
    bodies.parts.push({ row, body: await renamedBody(ctx, `part “${row.name}”`, row.html, rename) })
  }
  return bodies
}

/** @throws `validation_failed` when the new name can't be written into the body */
const renamedBody = async (
  { core, accountId }: SpaceCall,
  owner: string,
  before: string,
  rename: PartRename,
): Promise<Body> => {
  const { html, references } = await core.renderer.renamePart(before, rename, accountId)
  if (references.includes(rename.from))
    throw invalid(
      'name',
      `can't be replaced in the ${owner}; rename the part without updating its uses, then edit the ${owner} yourself`,
    )
  const schema = owner.startsWith('page') ? PageFields : PartFields
  const result = schema.shape.html.safeParse(html)
  if (!result.success)
    throw invalid('name', `is too long for the ${owner}, whose html ${result.error.issues[0]!.message}`)
  return { html, includes: references }
}
