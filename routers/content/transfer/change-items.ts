import { z } from 'zod'
import { idWithin, newId } from '../../../db/id.ts'
import { digestOfBody } from '../../../db/queries/items.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import { requireScope } from '../../api/credential.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { type FieldError, invalid, Problem } from '../../api/problem.ts'
import { SETTING_SCOPES, type SpaceScope } from '../../api/scopes.ts'
import { ICON, MANIFEST } from './archive-format.ts'
import { type CurrentContent, planSettings, readCurrentContent, type Wanted } from './current-content.ts'
import { MAX_ERRORS, throwIfAny } from './entries.ts'
import { type IdentifiedFile, withAddressesReplaced } from './files.ts'
import { applyAsOperation, changesOf } from './import-space.ts'
import { ListedItem, listedItem, type Place, placesOf } from './listing.ts'
import { type Plan, planImport, requireAllowed, type Step } from './plan.ts'
import { type Archive, type ArchivedFile, withArchive } from './read-archive.ts'

/** What a change of some items has done. */
export const ChangedItems = z.object({
  /** Id of the change in the history; null if everything was already as wanted. */
  operation: z.string().nullable(),
  /** The written items as they are now. */
  items: z.array(ListedItem),
})

export type ChangedItems = z.output<typeof ChangedItems>

/** The version that each path is based on; null for a new path. */
type Bases = ReadonlyMap<string, string | null>

/**
 * Writes and deletes some items of a space, in one transaction and as one operation of the history, unless one of them has
 * changed since the caller read it.
 *
 * The manifest of the archive names in `changes` every path to write or delete, with the version that it is based on. A
 * path that is in the archive is written, another one is deleted.
 *
 * @param file the archive
 * @param signal aborts when the caller has closed the connection. Until the commit, nothing is written then
 * @throws `space_changed` with an error for each path that has another version, `insufficient_scope`,
 * `validation_failed`, errors of limits and quotas, MissingRowError when the space was deleted meanwhile
 */
export const changeItems = (
  call: SpaceCall,
  { file, signal }: { file: string; signal: AbortSignal | undefined },
): Promise<ChangedItems> => {
  const { core, space } = call
  return withArchive(file, call, signal, async archive => {
    const bases: Bases = new Map(
      Object.entries(archive.changes ?? {}).map(([path, base]) => [path.normalize('NFC'), base]),
    )
    const written = pathsOf(archive)
    requireNamed(written, bases)
    for (const path of bases.keys()) for (const scope of scopesFor(path)) requireScope(call.scopes, [scope])

    const wanted: Wanted = {
      slugs: new Set([...bases.keys()].flatMap(path => /^pages\/(.+)\.liquid$/.exec(path)?.[1] ?? [])),
      fileIds: archive.files.flatMap(({ id }) => id ?? []),
    }
    const seen = await atOneMoment(core.database, sql => readCurrentContent(sql, space.id, wanted))
    requireUnchanged(seen, bases, written)
    const files = identified(space.id, seen, archive.files)
    const ids = new Map(archive.files.flatMap(({ id }, index) => (id ? [[id, files[index]!.id!]] : [])))
    // The name is no item.
    const replaced = {
      ...(await withAddressesReplaced(archive, ids, core.addresses)),
      files,
      name: undefined,
    }
    const planFor = (current: CurrentContent): Plan => {
      requireUnchanged(current, bases, written)
      const plan = withDeletions(planImport(current, replaced, false), current, bases, written)
      requireAllowed(plan, { ...current, pages: current.pages.length }, core.creationLimits)
      return plan
    }
    const listWritten = (current: CurrentContent, plan: Plan): ListedItem[] => {
      const fileIds = new Set(
        [...files, ...plan.files.flatMap(({ before }) => before ?? [])].map(one => one.id),
      )
      return placesOf(current)
        .filter(place => (place.kind === 'file' ? fileIds.has(place.item.id) : written.has(place.path)))
        .map(place => listedItem(place, current.digests))
    }
    const preview = planFor(seen)
    if (changesOf(preview).length === 0) return { operation: null, items: listWritten(seen, preview) }
    const { operation, result } = await applyAsOperation(
      call,
      preview,
      signal,
      async write => planFor(await readCurrentContent(write.sql, space.id, wanted, seen)),
      async write => listWritten(await readCurrentContent(write.sql, space.id, wanted), preview),
    )
    return { operation, items: result! }
  })
}

/** The paths of the items in an archive. */
const pathsOf = ({ pages, parts, records, files, icon }: Archive): ReadonlySet<string> =>
  new Set([
    ...pages.map(({ slug }) => `pages/${slug}.liquid`),
    ...parts.map(({ name }) => `parts/${name}.liquid`),
    ...records.map(({ key }) => `data/${key}.json`),
    ...files.map(({ path }) => path.normalize('NFC')),
    ...(icon ? [ICON] : []),
  ])

/** @throws `validation_failed` if an item of the archive is not among the changes, or if there are none */
const requireNamed = (written: ReadonlySet<string>, bases: Bases): void => {
  if (bases.size === 0) throw invalid(`${MANIFEST}: changes`, 'must name at least one path')
  const unnamed = [...written].filter(path => !bases.has(path))
  throwIfAny(unnamed.map(field => ({ field, message: `must also be in "changes" of ${MANIFEST}` })))
}

/** The scopes that writing the items of a folder needs, all of them. */
const SCOPES: ReadonlyMap<string, readonly SpaceScope[]> = new Map([
  ['pages', ['pages']],
  ['parts', ['pages']],
  ['data', ['data']],
  ['files', ['files_write']],
])

/** @throws `validation_failed` for a path that no item can have */
const scopesFor = (path: string): readonly SpaceScope[] => {
  const scopes = path === ICON ? SETTING_SCOPES : SCOPES.get(path.split('/', 1)[0]!)
  if (!scopes) throw invalid(path, 'is not the path of a page, part, record or file')
  return scopes
}

/** The items of a space by their paths, in Unicode's composed form. */
const byPath = (current: CurrentContent): Map<string, Place> =>
  new Map(placesOf(current).map(place => [place.path.normalize('NFC'), place]))

/**
 * Requires that the paths have the versions that the changes are based on. A path to delete may already be gone.
 *
 * @throws `space_changed`
 */
const requireUnchanged = (current: CurrentContent, bases: Bases, written: ReadonlySet<string>): void => {
  const places = byPath(current)
  const errors: FieldError[] = []
  for (const [path, base] of bases) {
    const place = places.get(path)
    if (!place) {
      if (base !== null && written.has(path)) errors.push({ field: path, message: 'was deleted' })
    } else if (base === null) errors.push({ field: path, message: 'already exists' })
    else if (listedItem(place, current.digests).version !== base)
      errors.push({ field: path, message: 'has changed' })
  }
  if (errors.length > 0)
    throw new Problem('space_changed', {
      detail: `Nothing was written, because the space has changed: ${errors[0]!.field} ${errors[0]!.message}.`,
      errors: errors.slice(0, MAX_ERRORS),
    })
}

/**
 * Chooses the id that each file of the archive gets. A path that the space has keeps the id of its file. A deleted file
 * that comes back with its id keeps it. No other file of the space is replaced.
 */
const identified = (
  spaceId: string,
  seen: CurrentContent,
  files: readonly ArchivedFile[],
): IdentifiedFile[] => {
  const places = byPath(seen)
  const taken = new Set(seen.files.map(({ id }) => id))
  const freeId = (id: string | null) => {
    const own = id !== null && seen.formerFileIds.has(id) ? id : idWithin(spaceId, id ?? newId())
    return taken.has(own) ? newId() : own
  }
  return files.map(file => {
    const place = places.get(file.path.normalize('NFC'))
    if (place?.kind !== 'file') return { ...file, id: freeId(file.id) }
    // Programs for macOS decompose the letters with accents in a name. Such a name stays as it is in the space.
    const { id, name } = place.item
    return { ...file, id, name: name.normalize() === file.name.normalize() ? name : file.name }
  })
}

/**
 * Adds the deletions to a plan. An item that is deleted while another one with the same content is added is renamed, so
 * that it keeps its id.
 */
const withDeletions = (
  plan: Plan,
  current: CurrentContent,
  bases: Bases,
  written: ReadonlySet<string>,
): Plan => {
  const places = byPath(current)
  const deleted = [...bases.keys()].flatMap(path => (written.has(path) ? [] : (places.get(path) ?? [])))
  const items = <Kind extends Place['kind']>(kind: Kind) =>
    deleted.filter(place => place.kind === kind).map(({ item }) => item) as Extract<
      Place,
      { kind: Kind }
    >['item'][]
  const isIconDeleted = bases.has(ICON) && !written.has(ICON)
  return {
    settings: isIconDeleted
      ? planSettings(current.settings, { name: undefined, icon: null }, true)
      : plan.settings,
    pages: joined(
      plan.pages,
      items('page'),
      ({ id }) => hex(current.digests.get(id)!),
      ({ body }) => hex(body.digest),
    ),
    parts: joined(
      plan.parts,
      items('part'),
      ({ html }) => hex(digestOfBody(html)),
      ({ html }) => hex(digestOfBody(html)),
    ),
    records: [...items('record').map(before => ({ before, after: undefined })), ...plan.records],
    files: joined(
      plan.files,
      items('file'),
      ({ digest }) => hex(digest),
      ({ digest }) => hex(digest),
    ),
  }
}

const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex')

/** Joins deletions and additions: a deletion and an addition of the same content, without another of it, are a change. */
const joined = <Before, After>(
  steps: Step<Before, After>[],
  deleted: readonly Before[],
  contentBefore: (item: Before) => string,
  contentAfter: (item: After) => string,
): Step<Before, After>[] => {
  const gone = Map.groupBy(deleted, contentBefore)
  const added = Map.groupBy(
    steps.filter(({ before }) => before === undefined),
    ({ after }) => contentAfter(after!),
  )
  const renamed = new Set<Before>()
  const changed = steps.map(step => {
    if (step.before !== undefined) return step
    const content = contentAfter(step.after!)
    const [before, another] = gone.get(content) ?? []
    if (before === undefined || another !== undefined || added.get(content)!.length > 1) return step
    renamed.add(before)
    return { before, after: step.after }
  })
  return [
    ...deleted.filter(one => !renamed.has(one)).map(before => ({ before, after: undefined })),
    ...changed,
  ]
}
