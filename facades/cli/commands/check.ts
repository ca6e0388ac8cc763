import { availableParallelism } from 'node:os'
import { startRenderer } from '../../../routers/rendering/renderer.ts'
import { type Command, print, shown } from '../commands.ts'
import { checkSite } from '../local/check-site.ts'
import { type Finding, findingText } from '../local/finding.ts'
import { SiteReader } from '../local/read-site.ts'
import type { SpaceAddress } from '../service/address.ts'
import { findSite } from '../site.ts'

/** Number of texts for which it is worth starting another process, and the maximum number of processes. */
const TEXTS = 100
const MOST_PROCESSES = 4

/** Checks the site in a folder, without its space. @param at the address of the space; null if the site has none yet */
export const checkFolder = async (root: string, at: SpaceAddress | null): Promise<Finding[]> => {
  const site = await new SiteReader(root, at).read()
  const texts = site.pages.length + site.parts.length
  const processes = Math.min(availableParallelism(), MOST_PROCESSES, Math.ceil(texts / TEXTS) || 1)
  const renderer = startRenderer({ processes })
  try {
    return await checkSite(site, renderer)
  } finally {
    await renderer.stop()
  }
}

export const check: Command = {
  name: 'check',
  usage: 'check',
  summary: 'finds mistakes in the templates, records and files of the folder',
  details: `Shows what the editors of the dashboard show, one line for each problem: file, line, column and message. It needs neither
the network nor an account. The exit code is 1 if there are problems; notes do not count.`,
  examples: ['space check', 'space check --json'],
  count: [0, 0],
  options: [],
  run: async (terminal, _args, options) => {
    const { root, at } = await findSite(terminal)
    const findings = await checkFolder(root, at)
    const problems = findings.filter(({ kind }) => kind === 'problem')
    const notes = findings.length - problems.length
    print(terminal, options, { findings }, [
      ...findings.map(finding => shown(findingText(finding))),
      problems.length === 0
        ? `No problems${notes > 0 ? `, ${notes} ${notes === 1 ? 'note' : 'notes'}` : ''}.`
        : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
    ])
    return problems.length > 0 ? 1 : 0
  },
}
