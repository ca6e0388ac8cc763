import { ICON } from '../folder/paths.ts'

/** A change of an item in the history of a space. */
export interface Change {
  id: string
  at: string
  kind: 'page' | 'part' | 'record' | 'file' | 'space'
  thing: string
  action: 'create' | 'change' | 'rename' | 'delete'
  cause: 'write' | 'restore' | 'undo' | 'import'
  /** The same for all changes that were made together; null for a change of one item. */
  operation: string | null
  name_before: string | null
  name: string | null
  actor: { label: string | null; handle: string | null; agent: string | null }
}

/** What an undo did. */
export interface Undone {
  /** The id of the undo; null if nothing was changed. */
  operation: string | null
  /** The items that were changed, and those that were left as they are. */
  changed: string[]
  skipped: string[]
}

/** The answer of the service to an undo of an operation. */
export interface Undo {
  operation: string | null
  steps: Pick<Change, 'kind' | 'thing' | 'name'>[]
  skipped: Undo['steps']
}

const PATHS = {
  page: (name: string) => `pages/${name}.liquid`,
  part: (name: string) => `parts/${name}.liquid`,
  record: (name: string) => `data/${name}.json`,
  file: (name: string) => `files/${name}`,
}

/** An item in the history, with its name at a time. */
type Named = Pick<Change, 'kind' | 'thing' | 'name'>

/** The path of an item in a folder, or what it is if it has none. */
export const pathOfThing = ({ kind, thing, name }: Named): string => {
  if (kind !== 'space') return PATHS[kind](name ?? thing)
  return thing === 'icon' ? ICON : `the ${thing} of the space`
}

/** The path of a changed item in a folder: the new one, unless it was deleted. */
export const pathOfChange = ({ kind, thing, name, name_before }: Change): string =>
  pathOfThing({ kind, thing, name: name ?? name_before })
