import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { starters } from '../../../routers/api/rules.ts'
import { type Command, print } from '../commands.ts'
import { Failure } from '../failure.ts'
import { requireNew, SITE_FILE } from '../site.ts'

export const init: Command = {
  name: 'init',
  usage: 'init [starter] [folder]',
  summary: 'makes a new folder from a starter, without an account',
  details: `The starters are ${starters.join(', ')}. The first is taken if you name none. To publish the site, run
space login with the address of the service in its folder, choose an empty space or create one, and run space push.`,
  examples: ['space init', 'space init portfolio my-site'],
  count: [0, 2],
  options: [],
  run: async (terminal, [starter = starters[0], folder = starter], options) => {
    if (!(starters as readonly string[]).includes(starter))
      throw new Failure(`There is no starter "${starter}"; the starters are ${starters.join(', ')}.`, 2)
    const root = path.resolve(terminal.cwd, folder)
    await requireNew(root)
    const unfinished = `${root}.${process.pid}.unfinished`
    try {
      await mkdir(path.dirname(root), { recursive: true })
      await cp(path.join(terminal.packageFolder, 'starters', starter), unfinished, { recursive: true })
      await writeFile(path.join(unfinished, SITE_FILE), `${JSON.stringify({ address: null }, null, 2)}\n`)
      await rename(unfinished, root)
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
    print(terminal, options, { folder: root, starter }, [
      `The starter ${starter} is in ${path.relative(terminal.cwd, root) || root}.`,
    ])
    return 0
  },
}
