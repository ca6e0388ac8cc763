import { idWithin } from '../../../db/id.ts'
import { digestOfBody } from '../../../db/queries/items.ts'
import type { Addresses } from '../../api/addresses.ts'
import { fits } from '../../api/fields.ts'
import { invalid } from '../../api/problem.ts'
import { rules } from '../../api/rules.ts'
import type { CurrentContent } from './current-content.ts'
import { fileAddressReplacer, type Replace } from './file-addresses.ts'
import type { Archive, ArchivedFile, ArchivedPage } from './read-archive.ts'

/** A file of an archive with the id that it gets in the space; null for a new random id. */
export type IdentifiedFile = Omit<ArchivedFile, 'id'> & { id: string | null }

/** The files of an archive, with the ids that they get in a space. */
export interface MatchedFiles {
  files: IdentifiedFile[]
  /** The ids in the space, by the ids in the archive. */
  ids: Map<string, string>
}

/**
 * Chooses the id that each file of the archive gets in the space. If the space has a file with this id, the archived
 * file replaces that file. Otherwise, the archived file becomes a new file.
 *
 * - If the archived id belongs to a file of the space, or to a deleted file of the space, the archived file keeps its
 *   id.
 * - Any other archived id may belong to a file of another space. So the archived file gets an id that is derived from
 *   the archived id.
 * - Then the service compares the names, in Unicode's composed form, of the files that still match no file on the other side. If exactly one such
 *   archived file and exactly one such file of the space have the same name, the archived file gets the id
 *   of the file of the space.
 *
 * A derived id is the same each time. Therefore, the preview shows the same ids as the import. If the archive is
 * imported again, the derived ids match the files that the first import created.
 */
export const matchFiles = (
  spaceId: string,
  { files: stored, formerFileIds: former }: Pick<CurrentContent, 'files' | 'formerFileIds'>,
  archived: readonly ArchivedFile[],
): MatchedFiles => {
  const storedIds = new Set(stored.map(({ id }) => id))
  const idOf = new Map<ArchivedFile, string>()
  const given = new Set<string>()
  const give = (file: ArchivedFile, id: string) => {
    // In an archive that was put together by hand, two files can have the same id. The second one gets a new id.
    if (given.has(id)) return
    given.add(id)
    idOf.set(file, id)
  }
  const isOwn = (id: string) => storedIds.has(id) || former.has(id)
  const [own, others] = [true, false].map(wanted =>
    archived.filter(({ id }) => id !== null && isOwn(id) === wanted),
  )
  for (const file of own!) give(file, file.id!)
  for (const file of others!) give(file, idWithin(spaceId, file.id!))

  const isMatched = (file: ArchivedFile) => storedIds.has(idOf.get(file) ?? '')
  const taken = new Set(archived.filter(isMatched).map(file => idOf.get(file)))
  const left = Map.groupBy(
    stored.filter(({ id }) => !taken.has(id)),
    ({ name }) => name.normalize(),
  )
  const open = Map.groupBy(
    archived.filter(file => !isMatched(file)),
    ({ name }) => name.normalize(),
  )
  for (const [name, [one, another]] of open) {
    const [file, namesake] = left.get(name) ?? []
    if (one && file && !another && !namesake) idOf.set(one, file.id)
  }
  const names = new Map(stored.map(({ id, name }) => [id, name]))
  const identified = (file: ArchivedFile): IdentifiedFile => {
    const id = idOf.get(file) ?? null
    const name = names.get(id ?? '')
    // Programs for macOS decompose the letters with accents in a name. Such a name stays as it is in the space.
    return { ...file, id, name: name?.normalize() === file.name.normalize() ? name : file.name }
  }
  return {
    files: archived.map(identified),
    ids: new Map(
      [...idOf].flatMap(([{ id: archivedId }, id]) => (archivedId === null ? [] : [[archivedId, id]])),
    ),
  }
}

/**
 * Replaces the addresses of the exported files in the bodies of an archive.
 *
 * @throws `validation_failed` for a body that becomes too long. Before the replacement, no body is too long.
 */
export const withAddressesReplaced = async <Content extends Archive>(
  archive: Content,
  ids: ReadonlyMap<string, string>,
  to: Addresses,
): Promise<Content> => {
  const replaced = fileAddressReplacer({ from: archive.filesDomain, ids, to })
  const { part, data } = rules
  const pages: ArchivedPage[] = []
  for (const one of archive.pages) pages.push(one.body.hasAddress ? await withReplaced(one, replaced) : one)
  return {
    ...archive,
    pages,
    parts: archive.parts.map(({ html: archived, ...one }) => {
      const html = replaced(archived)
      requireShort(
        fits(html, part.html_max_length),
        `parts/${one.name}`,
        `${part.html_max_length} characters`,
      )
      return { ...one, html }
    }),
    records: archive.records.map(record => {
      const value = replacedInJson(replaced, record.value)
      const isShort = Buffer.byteLength(value) <= data.value_max_bytes
      requireShort(isShort, `data/${record.key}`, `${data.value_max_bytes} bytes`)
      return { ...record, value }
    }),
  }
}

const withReplaced = async (page: ArchivedPage, replaced: Replace): Promise<ArchivedPage> => {
  const load = async () => {
    const { html, includes } = await page.body.load()
    return { html: replaced(html), includes }
  }
  const { html } = await load()
  const max = rules.page.html_max_length
  requireShort(fits(html, max), `pages/${page.slug}`, `${max} characters`)
  return { ...page, body: { ...page.body, digest: digestOfBody(html), load } }
}

const requireShort = (isShort: boolean, path: string, max: string): void => {
  if (!isShort) throw invalid(path, `must have at most ${max} after its file addresses are replaced`)
}

/** Replaces addresses in JSON text. */
const replacedInJson = (replaced: Replace, json: string): string => {
  const text = replaced(json)
  // Parse the result: two names in an object can have become equal, and parsing keeps only one of them.
  return text === json ? json : JSON.stringify(JSON.parse(text))
}
