import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { spaceOperations, toolsOf, userOperations } from '../contract/operations.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Runs a command of the MCP Inspector and returns its output. */
const inspect = async (path: string, secret: string, ...args: string[]) => {
  const child = spawn(
    'node_modules/.bin/mcp-inspector',
    [
      '--cli',
      service.root + path,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${secret}`,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let [output, errorOutput] = ['', '']
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    errorOutput += text.toString()
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output, errorOutput }
}

describe.each([
  { path: '/mcp', count: toolsOf(spaceOperations).length, first: 'get_space', known: 'subdomain' },
  { path: '/user-mcp', count: toolsOf(userOperations).length, first: 'get_me', known: 'handle' },
])('the Inspector at $path', ({ path, count, first, known }) => {
  const secret = async () =>
    path === '/mcp'
      ? (await service.createSpace()).key(...SPACE_SCOPES)
      : (await service.signUp()).token(...USER_SCOPES)

  test('lists the tools and accepts their schemas in strict mode', async () => {
    const { code, output, errorOutput } = await inspect(
      path,
      await secret(),
      '--method',
      'tools/list',
      '--strict',
    )
    expect({ code, errorOutput }).toEqual({ code: 0, errorOutput: '' })
    const { tools } = JSON.parse(output) as { tools: object[] }
    expect(tools).toHaveLength(count)
  })

  test('calls the first tool', async () => {
    const args = ['--method', 'tools/call', '--tool-name', first]
    const { code, output } = await inspect(path, await secret(), ...args)
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ structuredContent: { [known]: expect.any(String) as string } })
  })
})

test('the Inspector writes a JSON record and reads it back', async () => {
  const secret = await (await service.createSpace()).key(...SPACE_SCOPES)
  const call = (name: string, ...args: string[]) =>
    inspect('/mcp', secret, '--method', 'tools/call', '--tool-name', name, ...args)
  const put = await call('put_data', '--tool-arg', 'key=events', '--tool-arg', 'value=[{"title":"Open day"}]')
  expect(put.code).toBe(0)
  const { output } = await call('get_data', '--tool-arg', 'key=events')
  expect(JSON.parse(output)).toMatchObject({
    structuredContent: { value: [{ title: 'Open day' }], version: 1 },
  })
})

test('the Inspector shows the error of a failed tool call', async () => {
  const secret = await (await service.createSpace()).key(...SPACE_SCOPES)
  const args = ['--method', 'tools/call', '--tool-name', 'get_page', '--tool-arg', 'page_id=zzzzzzzzzzzzzzzz']
  const { output } = await inspect('/mcp', secret, ...args)
  expect(output).toContain('page_not_found')
})
