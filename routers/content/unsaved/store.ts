import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import {
  type DraftPlace,
  deleteHiddenDrafts,
  findDraft,
  findDraftUsage,
  hasDraftFromElsewhere,
  isDraftable,
  putDraft,
} from '../../../db/queries/drafts.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import { Problem, refuseIfFull } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { continuedDraft, draftContent } from './schema.ts'

const NOT_FOUND = {
  page: 'page_not_found',
  part: 'part_not_found',
  record: 'data_not_found',
  post: 'post_not_found',
} as const

const isExceeded = ({ count, bytes }: { count: number; bytes: number }, size: number) =>
  count >= limits.editorDrafts || bytes + size > limits.editorDraftBytes

type Contents = { [Kind in keyof typeof draftContent]: z.output<(typeof draftContent)[Kind]> }

/**
 * Stores an account's draft of an item. Replaces the account's earlier draft of the item.
 *
 * @param writeAccount runs the transaction, with the account locked
 * @param continues identifies the draft that the editor continues, by the draft's `updated_at`
 * @returns when the draft was stored
 * @throws `precondition_failed` if another window has stored the draft
 * @throws `limit_reached` if the account has too many drafts or its drafts are too large
 * @throws the `…_not_found` error of the item if the item is not new and does not exist
 */
export const keepDraft = async (
  writeAccount: CallersWrites['writeAccount'],
  accountId: string,
  place: DraftPlace,
  {
    isNew,
    fields,
    base,
    editor,
    continues,
  }: Contents[keyof Contents] & {
    isNew: boolean
    continues?: string | null | undefined
  },
): Promise<string> => {
  const content = JSON.stringify({ fields, base, editor })
  const updatedAt = new Date()
  await writeAccount(async sql => {
    if (!isNew && !(await isDraftable(sql, accountId, place))) throw new Problem(NOT_FOUND[place.kind])
    const continued = continuedDraft({ editor, continues })
    if (continued && (await hasDraftFromElsewhere(sql, accountId, place, continued)))
      throw new Problem('precondition_failed', {
        detail: 'You have changed this in another window. The draft from that window was not overwritten.',
      })
    const size = Buffer.byteLength(content)
    let usage = await findDraftUsage(sql, accountId, place)
    if (isExceeded(usage, size)) {
      // Delete the drafts of deleted items first. They are not listed, so nobody could discard them.
      await deleteHiddenDrafts(sql, accountId, place.spaceId)
      usage = await findDraftUsage(sql, accountId, place)
    }
    const where = place.spaceId === null ? 'to posts' : 'in a space'
    refuseIfFull(
      usage.count >= limits.editorDrafts,
      `You can have at most ${limits.editorDrafts} drafts of unsaved changes ${where}. Save or discard some.`,
    )
    refuseIfFull(
      usage.bytes + size > limits.editorDraftBytes,
      `Your unsaved changes ${where} can have at most ${limits.editorDraftBytes} bytes. Save or discard some.`,
    )
    await putDraft(sql, accountId, place, { id: newId(), isNew, content, updatedAt })
  })
  return updatedAt.toISOString()
}

/**
 * Parses the stored content of a draft.
 *
 * @returns undefined if an earlier version of the service stored the draft in another format
 */
export const parseDraft = <Kind extends keyof Contents>(kind: Kind, content: string) =>
  draftContent[kind].safeParse(JSON.parse(content)).data as Contents[Kind] | undefined

/** Reads an account's draft of an item; null if there is none. */
export const readDraft = async <Kind extends keyof Contents>(
  sql: Sql,
  accountId: string,
  place: DraftPlace & { kind: Kind },
): Promise<(Contents[Kind] & { updated_at: string }) | null> => {
  const row = await findDraft(sql, accountId, place)
  const content = row && parseDraft(place.kind, row.content)
  return content ? { ...content, updated_at: row.updated_at.toISOString() } : null
}
