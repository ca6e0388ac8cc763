import { type Command, print, SIGNS, shown } from '../commands.ts'
import { onSite } from '../site.ts'
import type { Change, Difference } from '../sync/compare.ts'
import { listed, statusOf } from '../sync/site-folder.ts'

export const status: Command = {
  name: 'status',
  usage: 'status [--base <commit>]',
  summary: 'says what differs between the folder and the space',
  details: `+ is added, ~ is changed, - is deleted. The exit code is 1 if something has to be settled before a push: a conflict, an
item that both sides changed, or a file that the space would not take.`,
  examples: ['space status', 'space status --json'],
  count: [0, 0],
  options: ['base'],
  run: async (terminal, _args, options) => {
    const { found, listing } = await onSite(
      terminal,
      async ({ open, space }) => {
        const { listing, remote } = await listed(space)
        return { found: statusOf(await open(), remote), listing }
      },
      options.base,
    )
    const { differences, unsettled, problems } = found
    const isBoth = ({ here, there }: Difference) =>
      here !== null && there !== null && here + there !== 'deleteddeleted'
    const both = differences.filter(isBoth)
    const here = differences.filter(one => one.here !== null && one.there === null)
    const there = differences.filter(one => one.here === null)
    const list = (title: string, items: Difference[], side: 'here' | 'there') =>
      items.length === 0
        ? []
        : ['', title, ...items.map(item => `  ${SIGNS[item[side] as Change]} ${shown(item.path)}`)]
    const lines = [
      `${shown(listing.name)}, ${listing.address}`,
      ...list('Changed in the folder; space push takes it to the space:', here, 'here'),
      ...list('Changed in the space; space pull takes it to the folder:', there, 'there'),
      ...list('Changed in both; space pull merges it or puts both versions side by side:', both, 'here'),
      ...(unsettled.length > 0
        ? ['', 'Conflicts; take what you want from the .theirs files, then delete them:']
        : []),
      ...unsettled.map(({ path, files }) => `  ! ${shown(path)}: ${files.map(shown).join(', ')}`),
      ...(problems.length > 0
        ? ['', 'Not possible in a space; rename, correct or remove it, or name it in .spaceignore:']
        : []),
      ...problems.map(({ path, message }) => `  ! ${shown(path)}: ${message}`),
    ]
    const isEqual = lines.length === 1
    print(
      terminal,
      options,
      { address: listing.address, here, there, both, conflicts: unsettled, problems },
      [...lines, ...(isEqual ? ['The folder and the space are equal.'] : [])],
    )
    return both.length + unsettled.length + problems.length > 0 ? 1 : 0
  },
}
