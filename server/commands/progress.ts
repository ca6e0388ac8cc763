import { performance } from 'node:perf_hooks'
import { clearLine, cursorTo } from 'node:readline'
import type { Logger } from 'pino'
import type { OnProgress, Progress } from '../../db/backup/format.ts'

/** Milliseconds between two reports, on a terminal and in the log. */
const PAUSE = { terminal: 100, log: 5_000 }

const TITLES = {
  writing: 'Writing',
  verifying: 'Verifying',
  restoring: 'Restoring',
  moving: 'Moving',
  checking: 'Checking',
} as const

/** Shows the progress of a command. */
export interface ProgressReport {
  onProgress: OnProgress
  /** Removes the progress line from the terminal. */
  end(): void
}

/** Reports progress: on a terminal as a single line that is updated in place, otherwise as lines in the log. */
export const reportProgress = (log: Logger, output: NodeJS.WriteStream = process.stderr): ProgressReport => {
  let phase: Progress['phase'] | undefined
  let phaseStart = 0
  let reportedAt = 0
  const pause = output.isTTY ? PAUSE.terminal : PAUSE.log
  const clear = () => {
    clearLine(output, 0)
    cursorTo(output, 0)
  }
  return {
    onProgress: progress => {
      const now = performance.now()
      if (progress.phase !== phase) {
        phase = progress.phase
        phaseStart = now
      } else if (now - reportedAt < pause) return
      reportedAt = now
      const left = secondsLeft(progress, (now - phaseStart) / 1000)
      const { done, total, table } = progress
      if (output.isTTY) {
        clear()
        output.write(lineOf(progress, left))
      } else log.info({ phase, table, done, total, secondsLeft: left }, 'progress')
    },
    end: () => {
      if (output.isTTY) clear()
    },
  }
}

/** Estimates the time left in whole seconds; undefined at the beginning. */
const secondsLeft = ({ done, total }: Progress, seconds: number): number | undefined =>
  done === 0 || seconds < 1 ? undefined : Math.ceil((seconds / done) * Math.max(0, total - done))

const lineOf = ({ phase, table = '', done, total }: Progress, left: number | undefined): string => {
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
  const time = left === undefined ? '' : `, ${duration(left)} left`
  return `${TITLES[phase]} ${table} ${percent}% of ${mebibytes(total)}${time}`
}

const duration = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`

/** Formats a size in bytes. */
export const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`
