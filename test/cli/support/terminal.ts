import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { run } from '../../../facades/cli/run.ts'
import type { Terminal } from '../../../facades/cli/terminal.ts'
import { VERSION } from '../../../server/version.ts'

/** What a command did. */
export interface Ended {
  code: number
  out: string
  err: string
}

/** A computer of a person: a home folder, and a terminal that answers questions. */
export interface Computer {
  home: string
  /** The answers to the next questions. */
  answers: string[]
  /** The addresses that were opened in the browser. */
  opened: string[]
  /** Runs a command in a folder below the home folder. */
  space: (folder: string, argv: readonly string[], options?: Partial<Terminal>) => Promise<Ended>
}

const PACKAGE = path.join(import.meta.dirname, '../../../facades/cli/dist')

/** Creates a computer before the tests of a file. */
export const useComputer = (): Computer => {
  const computer: Computer = {
    home: '',
    answers: [],
    opened: [],
    space: async (folder, argv, options) => {
      const ended = { out: '', err: '' }
      const code = await run(argv, {
        cwd: path.join(computer.home, folder),
        env: { HOME: computer.home },
        isInteractive: true,
        print: line => {
          ended.out += `${line}\n`
        },
        note: line => {
          ended.err += `${line}\n`
        },
        progress: () => {},
        ask: async () => computer.answers.shift() ?? '',
        browse: address => void computer.opened.push(address),
        untilStopped: () => new AbortController().signal,
        fetch,
        packageFolder: PACKAGE,
        version: VERSION,
        ...options,
      })
      return { code, ...ended }
    },
  }
  beforeAll(async () => {
    computer.home = await mkdtemp(path.join(os.tmpdir(), 'space-home-'))
  })
  afterAll(() => rm(computer.home, { recursive: true, force: true }))
  return computer
}
