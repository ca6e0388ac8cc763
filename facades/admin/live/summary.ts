import { type Change, titleOf } from '../history/describe.ts'

/** How long ago a change may have been made for its author to count as at work, in ms. */
const AT_WORK = 5 * 60_000

const NOUNS: Readonly<Record<Change['kind'], string>> = {
  page: 'page',
  part: 'part',
  record: 'record',
  file: 'file',
  space: 'setting',
}

/** Returns what was done, such as "changed the page about" or "created 3 pages and changed 1 record". */
export const doneIn = (changes: readonly Change[]): string => {
  const [first] = changes
  const things = new Map(changes.map(change => [`${change.kind} ${change.thing}`, change]))
  if (first && things.size === 1)
    return first.kind === 'space'
      ? 'changed the settings'
      : `${verbOf(changes)} the ${NOUNS[first.kind]} ${titleOf(first)}`
  const kinds = Map.groupBy(things.values(), ({ kind }) => kind)
  const parts = Array.from(
    kinds,
    ([kind, { length }]) => `${length} ${NOUNS[kind]}${length === 1 ? '' : 's'}`,
  )
  return `${verbOf(changes)} ${new Intl.ListFormat('en').format(parts)}`
}

/** The verb that fits all of the changes. */
const verbOf = (changes: readonly Change[]): string => {
  if (changes.every(({ action }) => action === 'delete')) return 'deleted'
  const created = new Set(changes.filter(({ action }) => action === 'create').map(({ thing }) => thing))
  return changes.every(({ thing }) => created.has(thing)) ? 'created' : 'changed'
}

/** Returns who made a change, in short: the name of the agent, the label of the key, or the handle of the person. */
export const shortName = ({ kind, label, handle, agent }: Change['actor']): string =>
  agent ?? (kind === 'session' ? handle : label) ?? 'Someone'

/** An author of recent changes, with what they did. */
interface AtWork {
  name: string
  done: string
}

/** The agents that have just changed something, the latest first. */
export const agentsAtWork = (changes: readonly Change[], now: number): AtWork[] =>
  authorsOf(changes.filter(({ at, actor }) => actor.agent !== null && now - Date.parse(at) < AT_WORK))

/** The authors of some changes, the latest first. */
export const authorsOf = (changes: readonly Change[]): AtWork[] =>
  Array.from(
    Map.groupBy(changes, ({ actor }) => shortName(actor)),
    ([name, own]) => ({ name, done: doneIn(own) }),
  )
