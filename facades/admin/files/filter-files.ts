import type { Outputs } from '../api.ts'
import { kindOf } from './file-kind.tsx'
import type { FileSearch } from './file-search.ts'

type StoredFile = Outputs['files']['get']

const byName = new Intl.Collator('en', { numeric: true }).compare

const COMPARE: Record<NonNullable<FileSearch['sort']>, (a: StoredFile, b: StoredFile) => number> = {
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
  name: (a, b) => byName(a.name, b.name),
  size: (a, b) => b.size - a.size,
}

/** The files that match the search, in the chosen order. */
export const filterFiles = (files: StoredFile[], { q = '', sort }: FileSearch): StoredFile[] => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = files.filter(file => {
    const text = `${file.name} ${file.content_type} ${kindOf(file.content_type).label}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const compare = sort && COMPARE[sort]
  return compare ? found.toSorted(compare) : found
}
