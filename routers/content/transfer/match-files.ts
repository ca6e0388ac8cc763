import { idWithin } from '../../../db/id.ts'
import type { CurrentContent } from './current-content.ts'
import type { ArchivedFile } from './read-archive.ts'

/** A file of an archive with the id that it gets in the space; null for a new random id. */
export type IdentifiedFile = Omit<ArchivedFile, 'id'> & { id: string | null }

/** The files of an archive, with the ids that they get in a space. */
export interface MatchedFiles {
  files: IdentifiedFile[]
  /** The ids in the space, by the ids in the archive. */
  ids: Map<string, string>
}

/**
 * Finds the existing file that each file of the archive replaces. This is the file with the same id. If there is no
 * such file, it is the only file with the same name.
 *
 * If an archived file replaces no existing file, it becomes a new file. If the space once had a file with the archived
 * id, the new file gets this id. Otherwise, the archived id may belong to a file of another space. So the new file gets
 * an id that is derived from the archived id. The derived id is the same each time. Therefore, the preview shows the
 * same ids as the import, and a second import of the archive finds the files of the first import.
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
    ({ name }) => name,
  )
  const open = Map.groupBy(
    archived.filter(file => !isMatched(file)),
    ({ name }) => name,
  )
  for (const [name, [one, another]] of open) {
    const [file, namesake] = left.get(name) ?? []
    if (one && file && !another && !namesake) idOf.set(one, file.id)
  }
  return {
    files: archived.map(file => ({ ...file, id: idOf.get(file) ?? null })),
    ids: new Map(
      [...idOf].flatMap(([{ id: archivedId }, id]) => (archivedId === null ? [] : [[archivedId, id]])),
    ),
  }
}
