import { findData } from '../../../db/queries/data.ts'
import { findPage } from '../../../db/queries/pages.ts'
import { findPart } from '../../../db/queries/parts.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { requireBase } from '../../api/precondition.ts'
import { fieldErrors, invalid, Problem } from '../../api/problem.ts'
import { DataWrite } from '../data/schema.ts'
import { writeRecord } from '../data/write-record.ts'
import { changePage } from '../pages/change-page.ts'
import { PageFields } from '../pages/schema.ts'
import { changePart } from '../parts/change-part.ts'
import { PartFields } from '../parts/schema.ts'
import { retryStale, StaleError } from '../retry-stale.ts'
import { applyEdits, type Edit } from './apply-edits.ts'

/** Refuses an edit that is based on a version other than the stored one. */
const requireVersion = (base: string | undefined, stored: { updated_at: Date }, what: string) => {
  if (base !== undefined) requireBase(base, stored, what)
}

/** Requires that the stored body is still the one that the edits were applied to. */
const requireSame = (html: string) => (before: { html: string }) => {
  if (before.html !== html) throw new StaleError()
}

/** Returns the body after the edits. It must follow the same rules as a body that is sent in full. */
const editedHtml = (schema: typeof PageFields | typeof PartFields, html: string, edits: readonly Edit[]) => {
  const result = schema.shape.html.safeParse(applyEdits(html, edits))
  if (!result.success)
    throw invalid('edits', `must leave a valid body: the result ${result.error.issues[0]!.message}`)
  return result.data
}

/**
 * Replaces passages in the body of a page.
 *
 * @throws `page_not_found`, `version_conflict`, `validation_failed`
 */
export const editPage = (ctx: SpaceCall, page_id: string, edits: readonly Edit[], base: string | undefined) =>
  retryStale(async () => {
    const page = await findPage(ctx.sql, ctx.space.id, page_id)
    if (!page) throw new Problem('page_not_found')
    requireVersion(base, page, 'The page')
    const html = editedHtml(PageFields, page.html, edits)
    return changePage(ctx, page_id, { html }, requireSame(page.html))
  })

/**
 * Replaces passages in the body of a part.
 *
 * @throws `part_not_found`, `version_conflict`, `parts_quota_exceeded`, `validation_failed`
 */
export const editPart = (ctx: SpaceCall, part_id: string, edits: readonly Edit[], base: string | undefined) =>
  retryStale(async () => {
    const part = await findPart(ctx.sql, ctx.space.id, part_id)
    if (!part) throw new Problem('part_not_found')
    requireVersion(base, part, 'The part')
    const html = editedHtml(PartFields, part.html, edits)
    return changePart(ctx, part_id, { html }, requireSame(part.html))
  })

/**
 * Replaces passages in the compact JSON of a record's value.
 *
 * @throws `data_not_found`, `version_conflict`, `data_quota_exceeded`, `validation_failed`
 */
export const editData = (ctx: SpaceCall, key: string, edits: readonly Edit[], version: number | undefined) =>
  retryStale(async () => {
    const record = await findData(ctx.sql, ctx.space.id, key)
    if (!record) throw new Problem('data_not_found')
    if (version !== undefined && version !== record.version)
      throw new Problem('version_conflict', { detail: `The current version is ${record.version}.` })
    const value = editedValue(JSON.stringify(JSON.parse(record.value)), edits)
    return writeRecord(ctx, { key, value }, current => {
      if (current.version !== record.version) throw new StaleError()
    })
  })

const editedValue = (json: string, edits: readonly Edit[]): unknown => {
  const text = applyEdits(json, edits, 'the value is compact JSON, without spaces and line breaks')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid('edits', `must leave valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
  const result = DataWrite.shape.value.safeParse(value)
  if (!result.success) throw new Problem('validation_failed', { errors: fieldErrors(result.error) })
  return value
}
