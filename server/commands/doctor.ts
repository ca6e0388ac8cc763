import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { diagnose } from '../doctor/diagnose.ts'
import type { Finding } from '../doctor/finding.ts'

const MARKS = { good: '✓', warning: '!', fault: '✗' } as const

const lineOf = ({ check, state, found, fix }: Finding): string =>
  `${MARKS[state]} ${check}: ${found}${fix === undefined ? '' : `\n    ${fix}`}`

const summaryOf = (findings: readonly Finding[]): string => {
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length
  const faults = count('fault')
  const warnings = count('warning')
  if (faults + warnings === 0) return 'Everything is as it should be.'
  return `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
}

const optionsOf = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: { json: { type: 'boolean' }, 'test-restore': { type: 'boolean' } },
    }).values
  } catch {
    return undefined
  }
}

/**
 * Checks what goes wrong in practice, and says how to fix it. The exit code is 1 if something does not work, and 2 if the
 * arguments are wrong. `--json` prints the findings for programs, `--test-restore` also restores the newest backup on
 * trial.
 */
export const doctor = async (args: string[], usage: string): Promise<void> => {
  const options = optionsOf(args)
  if (!options) {
    process.stderr.write(`Usage: ${usage}\n`)
    process.exitCode = 2
    return
  }
  const findings = await diagnose(process.env, pino({ level: 'silent' }), {
    testsRestore: options['test-restore'] ?? false,
  })
  const text = options.json
    ? JSON.stringify(findings, null, 2)
    : [...findings.map(lineOf), '', summaryOf(findings)].join('\n')
  process.stdout.write(`${text}\n`)
  process.exitCode = findings.some(({ state }) => state === 'fault') ? 1 : 0
}
