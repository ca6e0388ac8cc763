import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toolServers } from '../../facades/mcp/servers.ts'
import { request } from '../space-api/support/http.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** How a browser opens an address. */
const open = (path: string, method = 'GET') =>
  request(world.root, method, path, {
    headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  })

describe.each(toolServers.map(({ path, title }) => ({ path, title })))(
  '$path in a browser',
  ({ path, title }) => {
    test('is a page that tells how to connect each program, with the address in every line', async () => {
      const { status, headers, text } = await open(path)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(text).toContain(`<h1>Connect an agent to ${title}</h1>`)
      for (const program of ['Claude Code', 'Cursor', 'VS Code', 'MCP Inspector'])
        expect(text).toMatch(
          new RegExp(`<h2>${program}</h2>.+<pre[^>]*><code>[^<]*http://localhost${path}\\b`, 's'),
        )
    })

    test('runs and loads nothing, and its one style is the one that is allowed', async () => {
      const { headers, text } = await open(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('script-src')
      expect(text).not.toMatch(/<script|<link|<img|\son\w+=/)
      const style = /<style>(.*)<\/style>/s.exec(text)![1]!
      expect(policy).toContain(createHash('sha256').update(style).digest('base64'))
      expect(style).toContain('light-dark(')
    })

    test('has JSON to copy that is JSON', async () => {
      const { text } = await open(path)
      const blocks = [...text.matchAll(/<pre[^>]*><code>(\{.*?)<\/code>/gs)].map(match =>
        match[1]!.replaceAll('&quot;', '"'),
      )
      expect(blocks).toHaveLength(2)
      for (const block of blocks) expect(() => JSON.parse(block) as unknown).not.toThrow()
    })

    test('is the same page by HEAD, without its text', async () => {
      const answer = await open(path, 'HEAD')
      expect(answer).toMatchObject({ status: 200, text: '' })
    })

    test('is kept apart from what programs get there', async () => {
      expect((await open(path)).headers.vary).toContain('Accept')
      for (const accept of ['text/event-stream', 'application/json, text/event-stream', '*/*'])
        expect((await request(world.root, 'GET', path, { headers: { accept } })).status).toBe(405)
    })
  },
)

test('a page says that a key is needed where one is, and that none is where one can be had by asking', async () => {
  expect((await open('/mcp')).text).toContain('Authorization: Bearer ss_sk_…')
  const { text } = await open('/user-mcp')
  expect(text).toContain('claude mcp add --transport http space-site-user http://localhost/user-mcp</code>')
})
