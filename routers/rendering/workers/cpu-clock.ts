import { closeSync, openSync, readSync } from 'node:fs'

/** Size of the read buffer: enough for the three numbers in the file. */
const BUFFER_BYTES = 64

/**
 * Processor time of a process's main thread, from Linux's /proc/PID/schedstat. Unlike elapsed time it does not grow while
 * other processes have the processor. Reading takes about a microsecond.
 */
export class CpuClock {
  private readonly file: number
  private readonly buffer = Buffer.alloc(BUFFER_BYTES)

  private constructor(file: number) {
    this.file = file
  }

  /** Whether the processor time of a process can be read on this system. On macOS it cannot. */
  static readonly isAvailable: boolean = CpuClock.canRead()

  /** The clock of a process; undefined if the system has none, or the process has exited. */
  static of(pid: number): CpuClock | undefined {
    try {
      return new CpuClock(openSync(`/proc/${pid}/schedstat`, 'r'))
    } catch {
      return undefined
    }
  }

  /** Processor time so far, in ms; undefined if the process has exited. */
  read(): number | undefined {
    try {
      const length = readSync(this.file, this.buffer, 0, BUFFER_BYTES, 0)
      return Number.parseInt(this.buffer.toString('latin1', 0, length), 10) / 1e6
    } catch {
      return undefined
    }
  }

  private static canRead(): boolean {
    const clock = CpuClock.of(process.pid)
    const isRunning = (clock?.read() ?? 0) > 0
    clock?.close()
    return isRunning
  }

  close(): void {
    closeSync(this.file)
  }
}
