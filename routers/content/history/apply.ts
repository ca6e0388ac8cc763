import { newId } from '../../../db/id.ts'
import { type ChangeKind, digestOfBody } from '../../../db/queries/changes.ts'
import { deleteData, findData, putData } from '../../../db/queries/data.ts'
import { deleteFile, findFile, findStoredBytes, insertFile, updateFile } from '../../../db/queries/files.ts'
import { findBlobSize, findFilePosition } from '../../../db/queries/history.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../../db/queries/icons.ts'
import { deletePage, findPageToChange, insertPage, updatePage } from '../../../db/queries/pages.ts'
import { deletePart, findPart, insertPart, updatePart } from '../../../db/queries/parts.ts'
import { updateSpaceName } from '../../../db/queries/spaces.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { codePoints } from '../../core/fields.ts'
import { after } from '../../core/instant.ts'
import { contentTypeOf } from '../files/filename.ts'
import { type State, textOf } from './state.ts'

/** An item and the state that it should have; null if it should not exist. */
export interface Target {
  kind: ChangeKind
  thing: string
  state: State | null
}

/**
 * Gives an item an earlier state, as an ordinary write that the history records. A deleted item gets its id back. The
 * caller checks limits after all targets are applied.
 *
 * @throws a violation of `pages_slug_unique` or `parts_name_unique`
 */
export const applyTarget = (write: SpaceWrite, target: Target): Promise<unknown> =>
  target.state === null ? remove(write, target) : put[target.kind](write, target.thing, target.state)

const remove = (write: SpaceWrite, { kind, thing }: Target): Promise<unknown> => {
  if (kind === 'page') return deletePage(write, thing)
  if (kind === 'part') return deletePart(write, thing)
  if (kind === 'record') return deleteData(write, thing)
  if (kind === 'file') return deleteFile(write, thing)
  return removeSpaceIcon(write)
}

const createdAt = ({ created_at }: State) => (created_at === undefined ? new Date() : new Date(created_at))

const putPage = async (write: SpaceWrite, id: string, state: State) => {
  const { sql, spaceId } = write
  const before = await findPageToChange(sql, spaceId, id)
  const html = await textOf(sql, spaceId, { kind: 'page', thing: id }, state.digest!)
  const { name: slug = '', kind = 'scripted', includes = [] } = state
  return before
    ? updatePage(write, before, {
        slug,
        kind,
        updated_at: after(before.updated_at),
        body: { html, includes },
      })
    : insertPage(write, {
        id,
        slug,
        kind,
        html,
        includes,
        created_at: createdAt(state),
        updated_at: new Date(),
      })
}

const putPart = async (write: SpaceWrite, id: string, state: State) => {
  const { sql, spaceId } = write
  const before = await findPart(sql, spaceId, id)
  const html = await textOf(sql, spaceId, { kind: 'part', thing: id }, state.digest!)
  const { name = '', includes = [] } = state
  const part = { name, html, includes, length: codePoints(html) }
  return before
    ? updatePart(write, before, { ...part, updated_at: after(before.updated_at) })
    : insertPart(write, { ...part, id, created_at: createdAt(state), updated_at: new Date() })
}

const putRecord = async (write: SpaceWrite, key: string, state: State) => {
  const { sql, spaceId } = write
  const before = await findData(sql, spaceId, key)
  const value = await textOf(sql, spaceId, { kind: 'record', thing: key }, state.digest!)
  const record = {
    key,
    value,
    size: Buffer.byteLength(value),
    description: state.description ?? null,
    // Higher than any earlier version, so that a write based on an earlier version is refused.
    version: Math.max(before?.version ?? 0, state.version ?? 0) + 1,
    updated_at: before ? after(before.updated_at) : new Date(),
  }
  return putData(write, record, before && { ...before, digest: digestOfBody(before.value) })
}

const putFile = async (write: SpaceWrite, id: string, state: State) => {
  const { sql, spaceId } = write
  const before = await findFile(sql, spaceId, id)
  const digest = state.digest!
  const size = (await findBlobSize(sql, spaceId, digest))!.size
  const { name = '' } = state
  const file = { name, content_type: contentTypeOf(name) }
  if (before) {
    const isSame = digest.equals(before.digest)
    const change = { ...file, updated_at: after(before.updated_at) }
    return updateFile(write, before, change, isSame ? undefined : { digest, size })
  }
  const dates = { created_at: createdAt(state), updated_at: new Date() }
  const { position = null } = (await findFilePosition(sql, spaceId, id)) ?? {}
  return insertFile(
    write,
    { ...file, ...dates, id, uploaded_by_id: state.uploaded_by ?? null },
    { digest, size },
    position,
  )
}

const putSetting = async (write: SpaceWrite, setting: string, state: State) => {
  if (setting === 'name') return updateSpaceName(write, state.name ?? '')
  // The bytes of icons are never in the file store.
  const { bytes } = (await findStoredBytes(write.sql, write.spaceId, state.digest!))!
  return setSpaceIcon(write, { id: newId(), png: bytes! })
}

const put: Record<ChangeKind, (write: SpaceWrite, thing: string, state: State) => Promise<unknown>> = {
  page: putPage,
  part: putPart,
  record: putRecord,
  file: putFile,
  space: putSetting,
}
