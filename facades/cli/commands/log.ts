import { type Command, print, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { type Change, pathOfChange } from '../service/history.ts'
import { connect, findLinkedSite } from '../site.ts'

/** Maximum number of items that a line names. */
const MAX_NAMED = 5

export const log: Command = {
  name: 'log',
  usage: 'log [file]',
  summary: 'lists who changed what in the space, newest first',
  details: `Each entry begins with the id that space undo takes. A push, an import or another change of several items is one
entry. Lists the last 50 changes, or those of one file.`,
  examples: ['space log', 'space log pages/about.liquid'],
  count: [0, 1],
  options: [],
  run: async (terminal, [file], options) => {
    const { at } = await findLinkedSite(terminal)
    const space = await connect(terminal, at)
    const found = await space.changes()
    const changes = found.filter(change => file === undefined || pathOfChange(change) === file)
    const entries = new Map<string, Change[]>()
    for (const change of changes) {
      const id = change.operation ?? change.id
      entries.set(id, [...(entries.get(id) ?? []), change])
    }
    const lines = [...entries].flatMap(([id, [first, ...others]]) => {
      const paths = [first!, ...others].map(change => `${SIGNS[change.action]} ${pathOfChange(change)}`)
      const rest = paths.length - MAX_NAMED
      return [
        `${id}  ${first!.at.slice(0, 16).replace('T', ' ')}  ${authorOf(first!)}${CAUSES[first!.cause]}`,
        ...paths.slice(0, MAX_NAMED).map(path => `  ${path}`),
        ...(rest > 0 ? [`  and ${rest} more`] : []),
      ].map(shown)
    })
    print(terminal, options, { changes }, lines.length === 0 ? ['There are no such changes.'] : lines)
    return 0
  },
}

export const undo: Command = {
  name: 'undo',
  usage: 'undo <change>',
  summary: 'undoes a change of the space',
  details: `Takes an id of space log, or the one that space push printed. A push is undone as a whole. What someone has changed
since stays as it is. The undo is a change too, which can be undone. The folder keeps its files until space pull.`,
  examples: ['space undo k3v9x2m7q4t8w5z6', 'space undo 42-record-opening-hours'],
  count: [1, 1],
  options: [],
  run: async (terminal, [id = ''], options) => {
    const { at } = await findLinkedSite(terminal)
    const undone = await (await connect(terminal, at)).undo(id)
    const { operation, changed, skipped } = undone
    if (operation === null && skipped.length === 0)
      throw new Failure(`There is nothing to undo: ${id} is no change that still has an effect.`)
    print(terminal, options, undone, [
      ...changed.map(path => `~ ${shown(path)}`),
      ...skipped.map(
        path => `! ${shown(path)}: it has changed since, or its name is taken; it stays as it is`,
      ),
      ...(operation === null
        ? ['Nothing was undone.']
        : [`Undone. To take this back: space undo ${operation}`]),
      ...(operation === null ? [] : ['space pull brings it into the folder.']),
    ])
    return skipped.length > 0 ? 1 : 0
  },
}

const SIGNS = { create: '+', change: '~', rename: '~', delete: '-' } as const

const CAUSES: Record<Change['cause'], string> = {
  write: '',
  restore: ', restored',
  undo: ', an undo',
  import: ', imported',
}

/** Who made a change, in a few words. */
const authorOf = ({ actor: { handle, label, agent } }: Change): string =>
  [
    handle === null ? 'someone who has left' : `@${handle}`,
    ...(label === null ? [] : [`with ${label}`]),
    ...(agent === null ? [] : [`through ${agent}`]),
  ].join(' ')
