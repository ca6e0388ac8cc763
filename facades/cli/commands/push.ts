import { type Command, print, SIGNS, shown, sizeOf } from '../commands.ts'
import { Failure } from '../failure.ts'
import { kindOf, nameOf } from '../folder/paths.ts'
import { onSite } from '../site.ts'
import { pull } from '../sync/pull.ts'
import { type PushPlan, planPush, push as pushSite } from '../sync/push.ts'

export const push: Command = {
  name: 'push',
  usage: 'push [--dry-run] [--yes]',
  summary: 'takes what changed in the folder to the space',
  details: `Shows what it would change and asks. Everything is applied at once or not at all. If the space has changed the same
items since your last pull, nothing is pushed. --dry-run only shows the changes; --yes does not ask.`,
  examples: [
    'space push',
    'space push --dry-run',
    'SPACE_URL=https://example.com/admin/spaces/garden SPACE_KEY=… space push --yes',
  ],
  count: [0, 0],
  options: ['yes', 'dry-run'],
  run: (terminal, _args, options) =>
    onSite(terminal, async ({ open, space, at }) => {
      const folder = await open()
      const plan = await planPush(folder, space)
      const planned = plan.changes.map(
        ({ path, change, size }) => `${SIGNS[change]} ${shown(path)}${size ? `  ${sizeOf(size)}` : ''}`,
      )
      const { changes } = plan
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
      const history = `${at.address}/history`
      print(terminal, options, { changes, operation, addresses, undo: history }, [
        `Pushed to ${plan.address}`,
        ...addresses,
        ...(operation === null ? [] : [`To undo it, open ${history}`]),
      ])
      return 0
    }),
}

/** The addresses of the pages that were written. */
const addressesOf = ({ changes, address }: PushPlan): string[] =>
  changes.flatMap(({ path, change }) => {
    if (change === 'deleted' || kindOf(path) !== 'page') return []
    const slug = nameOf(path)
    return new URL(slug === 'index' ? '' : slug, address).href
  })
