import { type Command, print, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { mergeable } from '../folder/content.ts'
import { onSite } from '../site.ts'
import { batches, listed, statusOf } from '../sync/site-folder.ts'
import { unifiedDiff } from '../sync/unified-diff.ts'

export const diff: Command = {
  name: 'diff',
  usage: 'diff [file]',
  summary: 'shows how the folder differs from the space, line by line',
  details: 'Lines with - are in the space, lines with + in the folder. The title says which side changed.',
  examples: ['space diff', 'space diff pages/about.liquid'],
  count: [0, 1],
  options: [],
  run: (terminal, [only], options) =>
    onSite(terminal, async ({ open, space }) => {
      const { remote } = await listed(space)
      const { disk, scan, ...folder } = await open()
      const all = statusOf({ disk, scan, ...folder }, remote).differences
      const wanted = all.filter(
        ({ path }) => only === undefined || path === only || scan.items.get(path)?.file === only,
      )
      if (only !== undefined && wanted.length === 0 && !remote.has(only) && !scan.items.has(only))
        throw new Failure(`${only} is neither in the folder nor in the space.`, 2)
      const texts: { path: string; here: string | null; there: string | null; diff: string }[] = []
      const items = wanted.flatMap(({ path }) => remote.get(path) ?? [])
      const contents = new Map<string, Uint8Array>()
      for (const batch of batches(items))
        for (const [path, bytes] of await space.read(batch.map(({ path }) => path)))
          contents.set(path.normalize('NFC'), bytes)
      for (const { path, here, there } of wanted) {
        const local = scan.items.get(path)
        const mine = local ? await disk.read(local.file) : null
        const theirs = contents.get(path) ?? null
        const sides = [theirs, mine].map(bytes => (bytes === null ? '' : mergeable(path, bytes)))
        const [from, to] = sides
        const settings = remote.get(path)?.settings
        const settingsLine =
          local && settings && JSON.stringify(local.settings) !== JSON.stringify(settings)
            ? `settings: ${JSON.stringify(settings)} in the space, ${JSON.stringify(local.settings)} in the folder\n`
            : ''
        const body =
          typeof from === 'string' && typeof to === 'string'
            ? unifiedDiff(from, to)
            : 'not text, and different\n'
        texts.push({ path, here, there, diff: settingsLine + body })
      }
      const lines = texts.flatMap(({ path, here, there, diff }) => [
        `${shown(path)} (${[here && `${here} in the folder`, there && `${there} in the space`].filter(Boolean).join(', ')})`,
        ...diff.trimEnd().split('\n').map(shown),
        '',
      ])
      print(
        terminal,
        options,
        { items: texts },
        lines.length === 0 ? ['The folder and the space are equal.'] : lines,
      )
      return 0
    }),
}
