import type { Logger } from 'pino'
import { explain } from '../explain.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { checkAddresses, type Network } from './addresses.ts'
import { type Finding, fault, messageOf } from './finding.ts'
import { checkBackups, checkDisks, checkSettings } from './machine.ts'
import { checkCollector, checkDatabase, checkFileStore, checkRateLimits } from './storage.ts'

interface Options {
  /** Whether to restore the newest backup on trial. */
  testsRestore?: boolean
  network?: Network
}

/** Checks an installation. Changes nothing, apart from objects and databases that it deletes again. */
export const diagnose = async (
  environment: NodeJS.ProcessEnv,
  log: Logger,
  options: Options = {},
): Promise<Finding[]> => {
  let settings: Settings
  try {
    settings = readSettings(environment)
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .map(line => fault('settings', line, 'Correct it. The other checks need valid settings.'))
  }
  return diagnoseSettings(settings, environment, log, options)
}

/** Checks an installation with valid settings. */
export const diagnoseSettings = async (
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  log: Logger,
  { testsRestore = false, network }: Options = {},
): Promise<Finding[]> => {
  const checks: readonly [string, () => Promise<Finding[]>][] = [
    ['settings', () => checkSettings(settings, environment)],
    ['disk', () => checkDisks(settings)],
    ['database', () => checkDatabase(settings, log, testsRestore)],
    ['backups', () => checkBackups(settings)],
    ['file store', () => checkFileStore(settings)],
    ['shared rate limits', () => checkRateLimits(settings)],
    ['traces', () => checkCollector(settings)],
    ['main site', () => checkAddresses(settings, network)],
  ]
  const findings = await Promise.all(
    checks.map(([check, run]) =>
      run().catch((error: unknown) => [
        fault(
          check,
          explain(error, settings) ?? `The check failed: ${messageOf(error)}`,
          'Correct this first.',
        ),
      ]),
    ),
  )
  return findings.flat()
}
