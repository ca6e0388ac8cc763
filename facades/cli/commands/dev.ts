import { type Command, print, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { findingText } from '../local/finding.ts'
import { findSite } from '../site.ts'

const HIGHEST_PORT = 65_535

export const dev: Command = {
  name: 'dev',
  usage: 'dev [--port <port>] [--open]',
  summary: 'serves the folder to the browsers of this computer',
  details: `Shows the site as the space would after a push: static pages are sanitized, and scripted pages run in a frame of another
origin. A save appears in the open browser at once, and a mistake with an explanation. Needs neither the network nor an
account, and changes nothing in the space. Ends with Ctrl+C.

--open opens the site in the browser.`,
  examples: ['space dev', 'space dev --open', 'space dev --port 8000'],
  count: [0, 0],
  options: ['port', 'open'],
  run: async (terminal, _args, options) => {
    const port = options.port === undefined ? null : Number(options.port)
    if (port !== null && !(Number.isInteger(port) && port >= 0 && port <= HIGHEST_PORT))
      throw new Failure(`--port must be a number from 0 to ${HIGHEST_PORT}.`, 2)
    const { root, at } = await findSite(terminal)
    const stopped = terminal.untilStopped()
    // Loaded here, because it prepares documents that no other command needs.
    const { serveFolder } = await import('../dev/serve.ts')
    const { address, close } = await serveFolder(root, at, {
      port,
      report: findings => {
        for (const finding of findings) terminal.note(shown(findingText(finding)))
      },
      onError: error => terminal.note(shown(error instanceof Error ? error.message : String(error))),
    })
    print(terminal, options, { address }, [address])
    if (options.open) terminal.browse(address)
    if (!stopped.aborted)
      await new Promise(resolve => stopped.addEventListener('abort', resolve, { once: true }))
    await close()
    return 0
  },
}
