import { explain } from '../explain.ts'
import { masked } from '../settings/schemas.ts'
import { readSettings, readValues } from '../settings/settings.ts'
import { variableGroups } from '../settings/variables.ts'

const shown = (value: string | number | boolean | undefined): string => {
  if (value === undefined) return '–'
  return typeof value === 'string' ? masked(value) : String(Number(value))
}

const listing = (environment: NodeJS.ProcessEnv): string => {
  // Reports what is wrong with several variables together, too.
  readSettings(environment)
  const values: Readonly<Record<string, string | number | boolean | undefined>> = readValues(environment)
  return variableGroups
    .map(({ title, variables }) => {
      const lines = Object.entries(variables).map(([name, { isSecret }]) => {
        const value = isSecret && values[name] !== undefined ? '***' : shown(values[name])
        return `  ${name.padEnd(36)}${environment[name] ? 'set      ' : 'default  '}${value}`
      })
      return [title, ...lines].join('\n')
    })
    .join('\n\n')
}

/** Prints the settings that apply, and where each comes from, without secrets. */
export const config = async (): Promise<void> => {
  try {
    process.stdout.write(`${listing(process.env)}\n`)
  } catch (error) {
    process.stderr.write(`${explain(error, undefined) ?? String(error)}\n`)
    process.exitCode = 1
  }
}
