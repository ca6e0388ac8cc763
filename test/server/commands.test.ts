/** Each command of operators is declared once. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../server/commands/list.ts'

const run = (...args: string[]) =>
  spawnSync('./space-site', args, { env: { PATH: process.env.PATH }, encoding: 'utf8' })

test('npm has a script for each command', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const own = Object.entries(scripts).filter(([, script]) => script.startsWith('node server/main.mjs'))
  expect(Object.fromEntries(own)).toEqual(
    Object.fromEntries(Object.keys(COMMANDS).map(name => [name, `node server/main.mjs ${name}`])),
  )
})

test('help lists each command with its arguments', () => {
  const { stdout, status } = run('help')
  expect(status).toBe(0)
  for (const [name, { args, purpose }] of Object.entries(COMMANDS)) {
    expect(stdout).toContain(`./space-site ${name} ${args}`.trimEnd())
    expect(stdout).toContain(purpose)
  }
})

test.each([['bakcup'], ['constructor'], ['--help-me'], ['']])('the unknown command "%s" is refused', name => {
  const { stderr, stdout, status } = run(name)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`There is no command "${name}".`)
  expect(stderr).toContain('./space-site backup FILE')
})

test('documents and messages name only commands that exist', () => {
  const files = globSync(['docs/**/*.md', 'README.md', 'CHANGELOG.md', '{db,facades,routers,server}/**/*.ts'])
  const named = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/space-site ([a-z][a-z-]*)/g)].map(([, name]) => name!),
  )
  expect(named).toContain('files-check')
  const known = new Set([...Object.keys(COMMANDS), 'help'])
  expect(named.filter(name => !known.has(name))).toEqual([])
})
