import type { Terminal } from './terminal.ts'

/** The options of all commands, as they were given. */
export interface Options {
  json: boolean
  yes: boolean
  dryRun: boolean
  key: boolean
  /** A commit of git. */
  base?: string | undefined
  port?: string | undefined
  open: boolean
}

/** The options that only some commands have. */
export type OptionName = 'yes' | 'dry-run' | 'base' | 'key' | 'port' | 'open'

/** A command of the program. */
export interface Command {
  name: string
  /** The arguments, as in `clone <address>`. */
  usage: string
  summary: string
  /** Further lines of the help. */
  details: string
  examples: readonly string[]
  /** The least and the largest number of arguments. */
  count: readonly [number, number]
  /** The options besides `--json` and `--help`. */
  options: readonly OptionName[]
  /** @returns the exit code */
  run: (terminal: Terminal, args: readonly string[], options: Options) => Promise<number>
}

/** Prints a result: as JSON, or as lines for a person. */
export const print = (
  terminal: Terminal,
  options: Options,
  result: object,
  lines: readonly string[],
): void => {
  if (options.json) terminal.print(JSON.stringify(result))
  else for (const line of lines) terminal.print(line)
}

/** The sign of each kind of change in lists. */
export const SIGNS = { added: '+', changed: '~', deleted: '-' } as const

/** Returns a size in words. */
export const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Makes characters visible that could change what a terminal shows: control characters and those of direction. */
export const shown = (text: string): string =>
  text.replaceAll(/[^\P{C}\t]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
