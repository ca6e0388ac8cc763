import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Command, print, shown } from '../commands.ts'
import { NoCredential } from '../failure.ts'
import { Disk } from '../folder/disk.ts'
import { alone } from '../folder/memory.ts'
import { parseAddress } from '../service/address.ts'
import { connect, requireNew, SITE_FILE } from '../site.ts'
import { pull } from '../sync/pull.ts'
import { openSiteFolder } from '../sync/site-folder.ts'
import { inBrowser } from './login.ts'

export const clone: Command = {
  name: 'clone',
  usage: 'clone <address> [folder]',
  summary: 'copies a space into a new folder',
  details: `The folder is named like the space, unless you name it. If this computer has no access to the space yet, the
browser opens as for space login.`,
  examples: [
    'space clone https://example.com/admin/spaces/garden',
    'space clone https://example.com/admin/spaces/garden site',
  ],
  count: [1, 2],
  options: [],
  run: async (terminal, [text = '', folder], options) => {
    const at = parseAddress(text)
    const root = path.resolve(terminal.cwd, folder ?? at.subdomain)
    await requireNew(root)
    const space = await connect(terminal, at).catch(async (error: unknown) => {
      if (!(error instanceof NoCredential && terminal.isInteractive)) throw error
      await inBrowser(terminal, text)
      return connect(terminal, at)
    })
    const { name } = await space.list()
    await mkdir(root, { recursive: true })
    try {
      const disk = new Disk(root, terminal.beforeStep)
      const pulled = await alone(disk, async () => {
        await disk.write(SITE_FILE, Buffer.from(`${JSON.stringify({ address: at.address }, null, 2)}\n`))
        return pull(await openSiteFolder(root, at.address, terminal.beforeStep), space)
      })
      const count = pulled.taken.length
      print(terminal, options, { folder: root, address: at.address, items: count }, [
        `${shown(name)}: ${count} ${count === 1 ? 'item' : 'items'} in ${path.relative(terminal.cwd, root) || root}`,
      ])
      return 0
    } catch (error) {
      // The folder is new, and everything in it is in the space.
      await rm(root, { recursive: true, force: true })
      throw error
    }
  },
}
