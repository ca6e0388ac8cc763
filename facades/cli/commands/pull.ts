import { type Command, type Options, print, SIGNS, shown } from '../commands.ts'
import { onSite } from '../site.ts'
import { type Pulled, pull as pullSite } from '../sync/pull.ts'
import type { Terminal } from '../terminal.ts'

export const pull: Command = {
  name: 'pull',
  usage: 'pull [--base <commit>]',
  summary: 'brings what changed in the space into the folder',
  details: `What only the space changed is taken. What both changed is merged line by line. Where both changed the same place,
your file stays as it is and the version of the space is put beside it, such as about.theirs.liquid. Take from it what
you want and delete it; until then, space push refuses. An empty .theirs file means that the space deleted the item.`,
  examples: ['space pull'],
  count: [0, 0],
  options: ['base'],
  run: async (terminal, _args, options) => {
    const pulled = await onSite(
      terminal,
      async ({ open, space }) => pullSite(await open(), space),
      options.base,
    )
    return printPulled(terminal, options, pulled)
  },
}

/** Prints what a pull did. @returns the exit code */
export const printPulled = (terminal: Terminal, options: Options, pulled: Pulled): number => {
  const { taken, merged, deleted, conflicts, left } = pulled
  const lines = [
    ...taken.map(path => `${SIGNS.changed} ${shown(path)}`),
    ...merged.map(path => `${SIGNS.changed} ${shown(path)} (merged with your changes)`),
    ...deleted.map(path => `${SIGNS.deleted} ${shown(path)}`),
    ...left.map(({ path, message }) => `! ${shown(path)}: ${message}`),
    ...conflicts.map(
      ({ path, theirs }) => `! ${shown(path)}: both changed it; the space's version is in ${shown(theirs)}`,
    ),
  ]
  print(terminal, options, pulled, lines.length === 0 ? ['Nothing has changed in the space.'] : lines)
  if (conflicts.length > 0 && !options.json)
    terminal.note('Take what you want from the .theirs files into yours, then delete them.')
  return conflicts.length > 0 || left.length > 0 ? 1 : 0
}
