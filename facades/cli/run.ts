import { parseArgs } from 'node:util'
import { check } from './commands/check.ts'
import { clone } from './commands/clone.ts'
import { dev } from './commands/dev.ts'
import { diff } from './commands/diff.ts'
import { init } from './commands/init.ts'
import { log, undo } from './commands/log.ts'
import { login, logout } from './commands/login.ts'
import { open } from './commands/open.ts'
import { pull } from './commands/pull.ts'
import { push } from './commands/push.ts'
import { status } from './commands/status.ts'
import { sync } from './commands/sync.ts'
import { type Command, shown } from './commands.ts'
import { Failure } from './failure.ts'
import type { Terminal } from './terminal.ts'

const COMMANDS: readonly Command[] = [
  init,
  login,
  clone,
  pull,
  status,
  diff,
  dev,
  check,
  push,
  sync,
  log,
  undo,
  open,
  logout,
]

/**
 * Runs the program.
 *
 * @param argv the arguments after the name of the program
 * @returns the exit code: 0, 1 for problems and conflicts, or 2 for wrong use
 */
export const run = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    return await dispatch(argv, terminal)
  } catch (error) {
    terminal.note(shown(messageOf(error)))
    return error instanceof Failure ? error.exitCode : 1
  }
}

const dispatch = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = parsed(argv)
  const [name, ...args] = positionals
  if (values.version) {
    terminal.print(terminal.version)
    return 0
  }
  if (name === undefined || name === 'help') {
    const about = COMMANDS.find(command => command.name === args[0])
    ;(values.help || name === 'help' ? terminal.print : terminal.note)(about ? helpOf(about) : overview())
    return values.help || name === 'help' ? 0 : 2
  }
  const command = COMMANDS.find(one => one.name === name)
  if (!command) throw new Failure(`There is no command "${name}"; space --help lists them.`, 2)
  if (values.help) {
    terminal.print(helpOf(command))
    return 0
  }
  const [least, most] = command.count
  if (args.length < least || args.length > most)
    throw new Failure(`Use it like this: space ${command.usage}`, 2)
  for (const option of ['yes', 'dry-run', 'base', 'key', 'port', 'open'] as const)
    if (values[option] !== undefined && !command.options.includes(option))
      throw new Failure(`space ${name} has no option --${option}.`, 2)
  const { json = false, yes = false, 'dry-run': dryRun = false, key = false, open = false } = values
  const { base, port } = values
  return command.run(terminal, args, { json, yes, dryRun, key, base, port, open })
}

const parsed = (argv: readonly string[]) => {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
        json: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        'dry-run': { type: 'boolean' },
        base: { type: 'string' },
        key: { type: 'boolean' },
        port: { type: 'string' },
        open: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('. ')[0]}; space --help lists the options.`, 2)
  }
}

/** Says in one sentence why a command failed. */
const messageOf = (error: unknown): string => {
  if (error instanceof Failure) return error.message
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'The disk is full; free some space and run the command again.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `You may not write ${path ?? 'here'}; change its permissions and run the command again.`
  return message
}

const overview = (): string => {
  const width = Math.max(...COMMANDS.map(({ usage }) => usage.length))
  return [
    'space: work on the site of a space in a folder, with your own editor.',
    '',
    ...COMMANDS.map(({ usage, summary }) => `  space ${usage.padEnd(width)}  ${summary}`),
    '',
    'Options: --help (also after a command), --version, --json (prints the result for programs)',
    'Exit codes: 0; 1 for problems and conflicts; 2 for wrong use',
    '',
    'Example:',
    '  space login https://example.com/admin/spaces/garden',
    '  space clone https://example.com/admin/spaces/garden',
    '  cd garden',
    '  space push',
  ].join('\n')
}

const helpOf = ({ usage, summary, details, examples }: Command): string =>
  [
    `space ${usage}: ${summary}`,
    '',
    details,
    '',
    'Examples:',
    ...examples.map(example => `  ${example}`),
  ].join('\n')
