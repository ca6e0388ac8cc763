import path from 'node:path'
import type { Logger } from 'pino'
import { explain } from '../explain.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { variables } from '../settings/variables.ts'
import { openLog } from '../telemetry/log.ts'
import { type ProgressReport, reportProgress } from './progress.ts'

/** The arguments and dependencies of a command. */
export interface Command {
  settings: Settings
  log: Logger
  /** The argument that is not an option; an empty string if the command has none. */
  argument: string
  /** The options that were given. */
  options: ReadonlySet<string>
  progress: ProgressReport
}

/**
 * Runs a command of the operator. Prints its result, or why it failed, and sets the exit code.
 *
 * @param usage printed if the arguments are wrong
 * @param accepts `options` lists the options of the command; `argument` returns whether the argument is valid
 * @param run returns a sentence with the result
 */
export const operatorCommand = async (
  args: readonly string[],
  usage: string,
  accepts: { options?: readonly string[]; argument: (text: string) => boolean },
  run: (command: Command) => Promise<string>,
): Promise<void> => {
  const options = args.filter(arg => arg.startsWith('-'))
  const [argument = '', ...others] = args.filter(arg => !arg.startsWith('-'))
  const isValid = accepts.argument(argument) && options.every(option => accepts.options?.includes(option))
  if (!isValid || others.length > 0) return fail(`Usage: ${usage}`)
  // An invalid level is one of the faults that `readSettings` reports.
  const log = await openLog(variables.LOG_LEVEL.schema.safeParse(process.env.LOG_LEVEL).data ?? 'info')
  const progress = reportProgress(log)
  let settings: Settings | undefined
  try {
    settings = readSettings(process.env)
    const result = await run({ settings, log, argument, options: new Set(options), progress })
    progress.end()
    if (process.stderr.isTTY) process.stdout.write(`${result}\n`)
    else log.info(result)
  } catch (error) {
    progress.end()
    // Errors of the database and of its connection have a code.
    const hasCode = error instanceof Error && 'code' in error
    const message =
      explain(error, settings) ?? (hasCode ? `${error.message} (${String(error.code)})` : undefined)
    if (message === undefined) log.error({ err: error }, 'The command failed')
    else if (process.stderr.isTTY) fail(message)
    else log.error(message)
    process.exitCode = 1
  }
}

/**
 * Returns the absolute path of a file that was given as an argument. If the argument is a relative path, it is relative
 * to the folder in which the person ran npm; the command itself runs in the project's folder.
 */
export const fileFrom = (argument: string): string =>
  path.resolve(process.env.INIT_CWD ?? process.cwd(), argument)

/** Returns a signal that aborts when the operator stops the command. */
export const stopSignal = (): AbortSignal => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping.signal
}

/** Accepts any argument, but requires one. */
export const anyFile = (argument: string): boolean => argument !== ''

const fail = (message: string) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
