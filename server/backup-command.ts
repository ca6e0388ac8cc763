import path from 'node:path'
import type { Logger } from 'pino'
import { BackupError } from '../db/backup/error.ts'
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { openLog } from './log.ts'
import { type ProgressReport, reportProgress } from './progress.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

/** The arguments and dependencies of the commands `backup` and `restore`. */
interface Command {
  settings: Settings
  log: Logger
  /** The file to write or read, as an absolute path. */
  file: string
  /** The options that were given. */
  options: ReadonlySet<string>
  progress: ProgressReport
}

/**
 * Runs a command with the arguments `FILE` and options. Prints its result, or why it failed, and sets the exit code.
 *
 * @param usage printed if the arguments are wrong
 * @param known the options that the command has
 * @param run returns a sentence with the result
 */
export const backupCommand = async (
  usage: string,
  known: readonly string[],
  run: (command: Command) => Promise<string>,
): Promise<void> => {
  const args = process.argv.slice(2)
  const options = args.filter(arg => arg.startsWith('-'))
  const files = args.filter(arg => !arg.startsWith('-'))
  if (files.length !== 1 || options.some(option => !known.includes(option))) return fail(`Usage: ${usage}`)
  const log = openLog('info')
  const progress = reportProgress(log)
  try {
    const settings = readSettings(process.env)
    const file = path.resolve(startFolder(), files[0]!)
    const result = await run({ settings, log, file, options: new Set(options), progress })
    progress.end()
    if (process.stderr.isTTY) process.stdout.write(`${result}\n`)
    else log.info(result)
  } catch (error) {
    progress.end()
    const message = explain(error)
    if (message === undefined) log.error({ err: error }, 'The command failed')
    else if (process.stderr.isTTY) fail(message)
    else log.error(message)
    process.exitCode = 1
  }
}

/** Returns the folder in which the person ran npm. The command itself runs in the project's folder. */
const startFolder = () => process.env.INIT_CWD ?? process.cwd()

const fail = (message: string) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

/** Returns the message of an expected error; undefined for any other error. */
const explain = (error: unknown): string | undefined => {
  if (error instanceof SettingsError) return `Invalid environment variables:\n${error.message}`
  if (error instanceof BackupError || error instanceof EmbeddedPostgresError) return error.message
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'Stopped. Nothing was written.'
  // Errors of the database and of its connection have a code.
  return 'code' in error ? `${error.message} (${String(error.code)})` : undefined
}
