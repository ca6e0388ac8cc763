import { type Command, print } from '../commands.ts'
import { connect, findLinkedSite } from '../site.ts'

export const open: Command = {
  name: 'open',
  usage: 'open',
  summary: 'opens the site in the browser',
  details: 'With --json, the address is only printed.',
  examples: ['space open'],
  count: [0, 0],
  options: [],
  run: async (terminal, _args, options) => {
    const { at } = await findLinkedSite(terminal)
    const { address } = await (await connect(terminal, at)).list()
    if (!options.json) terminal.browse(new URL(address).href)
    print(terminal, options, { address }, [address])
    return 0
  },
}
