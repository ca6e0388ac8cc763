import type { Env } from './service/keys.ts'

/** What a command uses of the process that runs it. */
export interface Terminal {
  cwd: string
  env: Env
  /** Whether a person can answer questions. */
  isInteractive: boolean
  /** Writes a line to the standard output. */
  print: (line: string) => void
  /** Writes a line to the standard error: warnings, and progress. */
  note: (line: string) => void
  /** Notes what the command is doing, which is shown if it takes long. */
  progress: (step: string) => void
  /** Asks for a line of text. @param isSecret whether to hide what is typed */
  ask: (question: string, isSecret?: boolean) => Promise<string>
  /** Opens an address in the browser. */
  browse: (address: string) => void
  /** Returns a signal for commands that run until they are stopped; from then on, Ctrl+C only aborts it. */
  untilStopped: () => AbortSignal
  fetch: typeof fetch
  /** The folder of the installed package, which has the starters. */
  packageFolder: string
  version: string
  /** Called before each step that changes the folder; tests interrupt commands there. */
  beforeStep?: (step: string) => void
}
