import { type Command, print, SIGNS, shown, sizeOf } from '../commands.ts'
import { Failure } from '../failure.ts'
import { kindOf, nameOf } from '../folder/paths.ts'
import { type Finding, findingText } from '../local/finding.ts'
import type { SpaceAddress } from '../service/address.ts'
import { onSite } from '../site.ts'
import { pull } from '../sync/pull.ts'
import { named, type PushPlan, planPush, push as pushSite } from '../sync/push.ts'
import { checkFolder } from './check.ts'

export const push: Command = {
  name: 'push',
  usage: 'push [--dry-run] [--yes] [--base <commit>]',
  summary: 'takes what changed in the folder to the space',
  details: `Shows what it would change and asks. Everything is applied at once or not at all. If the space has changed the same
items since your last pull, nothing is pushed. Says what does not work afterwards, as space check does. --dry-run only shows the changes; --yes does not ask.

A fresh checkout of git does not know what the space had at the last sync. --base names the commit that was pushed last:
what the space still has as in that commit is changed, and if it has something else, nothing is pushed.`,
  examples: [
    'space push',
    'space push --dry-run',
    'SPACE_URL=https://example.com/admin/spaces/garden SPACE_KEY=… space push --yes --base on-space',
  ],
  count: [0, 0],
  options: ['yes', 'dry-run', 'base'],
  run: (terminal, _args, options) =>
    onSite(
      terminal,
      async ({ open, space, at }) => {
        const folder = await open()
        const plan = await planPush(folder, space)
        const planned = plan.changes.map(
          ({ path, change, size }) => `${SIGNS[change]} ${shown(path)}${size ? `  ${sizeOf(size)}` : ''}`,
        )
        const { changes, onlyThere } = plan
        if (options.base !== undefined && onlyThere.length > 0)
          terminal.note(
            `The space has changes that this folder does not have: ${shown(named(onlyThere))}. space pull brings them.`,
          )
        if (changes.length === 0) {
          print(terminal, options, { changes, operation: null }, ['Nothing has changed in the folder.'])
          return 0
        }
        if (options.dryRun) {
          print(terminal, options, { changes, operation: null }, planned)
          return 0
        }
        if (!options.json) for (const line of planned) terminal.print(line)
        if (!options.yes) {
          if (!terminal.isInteractive || options.json)
            throw new Failure('Nothing was pushed: add --yes to push without a question.', 2)
          const answer = await terminal.ask(
            `Push ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} to ${at.address}? [y/N] `,
          )
          if (!/^y(?:es)?$/i.test(answer.trim())) {
            terminal.print('Nothing was pushed.')
            return 1
          }
        }
        const { operation } = await pushSite(folder, space, plan)
        // Takes what the space stored differently, such as addresses of files that it has replaced.
        const again = await open()
        if ([...again.memory.items.values()].some(({ version }) => version === '')) await pull(again, space)
        const addresses = addressesOf(plan)
        const undo = operation === null ? null : `space undo ${operation}`
        terminal.progress('Checking the site')
        const problems = await problemsIn(again.disk.root, at)
        print(terminal, options, { changes, operation, addresses, undo, problems }, [
          `Pushed to ${plan.address}`,
          ...addresses,
          ...(undo === null ? [] : [`To undo it: ${undo}`]),
          ...(problems.length > 0 ? ['These do not work:'] : []),
          ...problems.slice(0, MAX_PROBLEMS).map(problem => shown(findingText(problem))),
          ...(problems.length > MAX_PROBLEMS ? ['space check lists all.'] : []),
        ])
        return 0
      },
      options.base,
    ),
}

/** Maximum number of problems that a push names. */
const MAX_PROBLEMS = 10

/** What is wrong with the site after a push. The push has succeeded, whether or not the site can be checked. */
const problemsIn = async (root: string, at: SpaceAddress): Promise<Finding[]> => {
  const findings = await checkFolder(root, at).catch(() => [])
  return findings.filter(({ kind }) => kind === 'problem')
}

/** The addresses of the pages that were written. */
const addressesOf = ({ changes, address }: PushPlan): string[] =>
  changes.flatMap(({ path, change }) => {
    if (change === 'deleted' || kindOf(path) !== 'page') return []
    const slug = nameOf(path)
    return new URL(slug === 'index' ? '' : slug, address).href
  })
