import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/**
 * The log of the process, on standard error: JSON lines, or readable ones on a terminal.
 * Nothing that opens anything is ever written to it; addresses are logged without their query.
 */
export const openLog = (level: string, output: NodeJS.WriteStream = process.stderr): Logger => {
  const destination: DestinationStream = output.isTTY
    ? pretty({ destination: output, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    : output
  return pino({ level, base: undefined }, destination)
}
