/** Runs a command of the operator: `main.mjs NAME …`. */
import { COMMANDS } from './commands/list.ts'
import { VERSION } from './version.ts'

const invocation = (name: string) => `./space-site ${name} ${COMMANDS[name]?.args ?? ''}`.trimEnd()

const help = () => {
  const width = Math.max(...Object.keys(COMMANDS).map(name => invocation(name).length))
  const lines = Object.entries(COMMANDS).map(
    ([name, { purpose }]) => `  ${invocation(name).padEnd(width)}  ${purpose}`,
  )
  return [
    `Space Site ${VERSION}`,
    '',
    `  ${'./space-site'.padEnd(width)}  Runs the service`,
    ...lines,
    '',
    'Settings are environment variables; docs/settings.md lists them.',
  ].join('\n')
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command) await (await command.load())(args, invocation(name))
else if (/^(--)?help$/.test(name)) process.stdout.write(`${help()}\n`)
else if (/^(--)?version$/.test(name)) process.stdout.write(`${VERSION}\n`)
else {
  process.stderr.write(`There is no command "${name}".\n\n${help()}\n`)
  process.exitCode = 2
}
