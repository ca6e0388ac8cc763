import { type Starter, starterOperation, starters } from '../../../routers/api/rules.ts'
import type { Outputs } from '../api.ts'

export type Change = Outputs['history']['list']['changes'][number]

/** An item at one time; null if it did not exist. */
export type State = Outputs['history']['get']['before']

/** Someone who made changes, as described by their latest change. */
export type ListedActor = Outputs['history']['actors'][number]

const WORDS: Record<Exclude<Change['kind'], 'space'>, string> = {
  page: 'Page',
  part: 'Part',
  record: 'Record',
  file: 'File',
}

const VERBS: Record<Change['action'], string> = {
  create: 'created',
  change: 'changed',
  rename: 'renamed',
  delete: 'deleted',
}

/** The verbs of changes made by a restore or an import, except deletions. All other changes use `VERBS`. */
const CAUSE_VERBS: Partial<Record<Change['cause'], string>> = {
  restore: 'restored',
  import: 'imported',
}

/** Phrases that name the cause of a change; appended if the verb does not name the cause. */
const CAUSES: Record<Change['cause'], string> = {
  write: '',
  restore: ' in a restore',
  undo: ' in an undo',
  import: ' in an import',
}

/** The current name of the changed item: "about-us", "Space icon". */
export const titleOf = ({ kind, thing, name, name_before }: Change): string => {
  if (kind === 'space') return thing === 'name' ? 'Space name' : 'Space icon'
  return name ?? name_before ?? thing
}

/** Returns what happened, such as "Page renamed from old-name" or "Page deleted in an undo". */
export const eventOf = ({ kind, action, cause, name_before, name }: Change): string => {
  const causeVerb = action === 'delete' ? undefined : CAUSE_VERBS[cause]
  const verb = causeVerb ?? VERBS[action]
  const where = causeVerb === undefined ? CAUSES[cause] : ''
  if (kind === 'space')
    return `${capital(verb)}${action === 'rename' ? ` from ${name_before} to ${name}` : ''}${where}`
  const isRenamed = name_before !== null && name !== null && name !== name_before
  const from = isRenamed
    ? verb === VERBS.rename
      ? ` from ${name_before}`
      : `, renamed from ${name_before},`
    : ''
  return `${WORDS[kind]} ${verb}${from}${where}`
}

const STARTERS = new Map(starters.map(starter => [starterOperation(starter), starter]))

/** The starter whose content an operation has written into a new space; null if it is another operation. */
export const starterOf = (operation: string | null): Starter | null =>
  (operation !== null && STARTERS.get(operation)) || null

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const exactTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns the date and time of a change, to the second, such as "Nov 23, 2026, 2:05:09 PM". */
export const timeOf = ({ at }: Pick<Change, 'at'>): string => exactTime.format(new Date(at))

type Actor = Pick<Change['actor'], 'kind' | 'label' | 'handle'> & { agent?: string | null }

/**
 * Returns who made a change, such as "robin" or "key Deploy (robin)", with the name of the agent if one used the key.
 */
export const actorName = ({ kind, label, handle, agent }: Actor): string => {
  const person = handle ?? 'a former participant'
  if (kind === 'session') return person
  const what = `${kind === 'space_key' ? 'key' : 'token'} ${label ?? ''}`.trim()
  return `${what} (${agent ? `${agent}, ` : ''}${person})`
}
