import { describe, expect, test } from 'vitest'
import { VERSION } from '../../server/version.ts'
import { useComputer } from './support/terminal.ts'

const computer = useComputer()

describe('one sentence says what is wrong with', () => {
  test.each([
    [[], 2, 'space clone <address>'],
    [['fly'], 2, 'There is no command "fly"'],
    [['clone'], 2, 'Use it like this: space clone <address>'],
    [['clone', 'example.com'], 2, 'is not the address of a space'],
    [['pull', '--yes'], 2, 'has no option --yes'],
    [['pull', '--force'], 2, "Unknown option '--force'"],
    [['init', 'shop'], 2, 'There is no starter "shop"'],
    [['status'], 1, 'This folder is not a site'],
  ])('the arguments %j', async (argv, code, reason) => {
    expect(await computer.space('', argv)).toMatchObject({
      code,
      out: '',
      err: expect.stringContaining(reason),
    })
  })
})

test('each command has help with examples, and prompts need a terminal', async () => {
  const { out } = await computer.space('', ['--help'])
  const names = [...out.matchAll(/^ {2}space (\w+)[^\n]* {2}\w/gm)].map(([, name]) => name!)
  expect(names).toEqual([
    'init',
    'login',
    'clone',
    'pull',
    'status',
    'diff',
    'dev',
    'check',
    'push',
    'sync',
    'log',
    'undo',
    'open',
    'logout',
  ])
  for (const name of names)
    expect((await computer.space('', [name, '--help'])).out).toContain(`Examples:\n  space ${name}`)
  expect((await computer.space('', ['--version'])).out).toBe(`${VERSION}\n`)
  expect(
    await computer.space('', ['login', 'https://example.com/admin/spaces/garden'], { isInteractive: false }),
  ).toMatchObject({ code: 2 })
})
