import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Command, print, SIGNS, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { Disk } from '../folder/disk.ts'
import { alone } from '../folder/memory.ts'
import { FolderWatch } from '../folder/watch.ts'
import { compareVersions, connect, findLinkedSite, SITE_FILE } from '../site.ts'
import { keepInSync, type Round, syncOnce } from '../sync/keep-in-sync.ts'
import { openSiteFolder } from '../sync/site-folder.ts'

export const sync: Command = {
  name: 'sync',
  usage: 'sync',
  summary: 'keeps the folder and the space equal while it runs',
  details: `A save in the folder is in the space within a second, and one in the space is in the folder within two. Nothing is
asked. What both changed is merged; where both changed the same place, your file stays as it is, the version of the space
is put beside it, such as about.theirs.liquid, and everything else goes on. Each save is a change that space undo undoes.
Goes on by itself after the service was away. Ctrl+C ends it.`,
  examples: ['space sync', 'space sync --json'],
  count: [0, 0],
  options: [],
  run: async (terminal, _args, options) => {
    const { root, at } = await findLinkedSite(terminal)
    const space = await connect(terminal, at)
    space.isWatched = true
    const compared = compareVersions(terminal, at)
    const disk = new Disk(root, terminal.beforeStep)
    const requireFolder = async () => {
      if (!(await stat(path.join(root, SITE_FILE)).catch(() => null)))
        throw new Failure(`${SITE_FILE} is gone from ${root}, so nothing is synchronized.`)
    }
    const open = async () => {
      // An empty place where the folder was must not empty the space, nor what is left while it is being deleted.
      await requireFolder()
      const folder = await openSiteFolder(root, at.address, terminal.beforeStep)
      await requireFolder()
      return folder
    }
    const seen = new Set<string>()
    const onRound = (round: Round) => {
      const { pulled, pushed, operation } = round
      // A reason is told once, until it is over.
      const reasons = new Map(round.left.map(({ path, message }) => [`! ${shown(path)}: ${message}`, path]))
      for (const reason of seen) if (!reasons.has(reason)) seen.delete(reason)
      const fresh = [...reasons.keys()].filter(reason => !seen.has(reason))
      for (const reason of fresh) seen.add(reason)
      const { taken, merged, deleted, conflicts } = pulled
      const lines = [
        ...taken.map(path => `< ${SIGNS.changed} ${shown(path)}`),
        ...merged.map(path => `< ${SIGNS.changed} ${shown(path)} (merged with your changes)`),
        ...deleted.map(path => `< ${SIGNS.deleted} ${shown(path)}`),
        ...conflicts.map(
          ({ path, theirs }) =>
            `! ${shown(path)}: both changed it; the space's version is in ${shown(theirs)}`,
        ),
        ...pushed.map(({ path, change }) => `> ${SIGNS[change]} ${shown(path)}`),
        ...fresh,
      ]
      if (lines.length > 0)
        print(terminal, options, { taken, merged, deleted, conflicts, pushed, operation }, lines)
    }
    terminal.note(
      `Keeping ${path.relative(terminal.cwd, root) || '.'} and ${at.address} equal. Ctrl+C ends it.`,
    )
    await keepInSync({
      round: () =>
        alone(disk, () => syncOnce(open, space)).catch(async error => {
          // Nothing can be locked or read in a folder that is gone.
          await requireFolder()
          throw error
        }),
      waitForChange: signal => space.waitForChange(signal),
      watch: async onChange => {
        const watch = new FolderWatch(root, onChange)
        await watch.refresh()
        return { refresh: () => watch.refresh(), close: () => watch.close() }
      },
      onRound,
      onTrouble: message => terminal.note(message === null ? 'All is well again.' : shown(message)),
      signal: terminal.untilStopped(),
    })
    await compared
    return 0
  },
}
