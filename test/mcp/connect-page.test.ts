import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toolServers } from '../../facades/mcp/servers.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Opens an address as a browser does. */
const open = (path: string, method = 'GET') =>
  request(service.root, method, path, {
    headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  })

describe.each(toolServers.map(({ path, title }) => ({ path, title })))(
  'the web page at $path',
  ({ path, title }) => {
    test('explains how to connect each program, with the real address of the server', async () => {
      const { status, headers, text } = await open(path)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(text).toContain(`<h1>Connect an agent to ${title}</h1>`)
      for (const program of [
        'Claude Code',
        'Claude \\(web and desktop\\)',
        'ChatGPT',
        'Cursor',
        'VS Code',
        'MCP Inspector',
      ])
        expect(text).toMatch(
          new RegExp(`<h2>${program}</h2>.+<pre[^>]*><code>[^<]*http://localhost${path}\\b`, 's'),
        )
    })

    test('runs no scripts, loads only the logo and the typeface, and allows only its own inline style', async () => {
      const { headers, text } = await open(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('script-src')
      expect(text).not.toMatch(/<script|<link(?! rel="icon"| rel="preload" href="\/_fonts\/)|<img|\son\w+=/)
      const style = /<style>(.*)<\/style>/s.exec(text)![1]!
      expect(policy).toContain(createHash('sha256').update(style).digest('base64'))
      expect(style).toContain('light-dark(')
    })

    test('shows valid JSON to copy', async () => {
      const { text } = await open(path)
      const blocks = [...text.matchAll(/<pre[^>]*><code>(\{.*?)<\/code>/gs)].map(match =>
        match[1]!.replaceAll('&quot;', '"'),
      )
      expect(blocks).toHaveLength(2)
      for (const block of blocks) expect(() => JSON.parse(block) as unknown).not.toThrow()
    })

    test('answers HEAD without a body', async () => {
      const response = await open(path, 'HEAD')
      expect(response).toMatchObject({ status: 200, text: '' })
    })

    test('is served to browsers but not to programs', async () => {
      expect((await open(path)).headers.vary).toContain('Accept')
      for (const accept of ['text/event-stream', 'application/json, text/event-stream', '*/*'])
        expect((await request(service.root, 'GET', path, { headers: { accept } })).status).toBe(405)
    })
  },
)

test.each([
  ['/mcp', 'space-site'],
  ['/user-mcp', 'space-site-user'],
  ['/mcp/studio', 'space-site-studio'],
  ['/mcp/readonly', 'space-site-readonly'],
])('the command on the page of %s needs only the URL of the server', async (path, name) => {
  const { text } = await open(path)
  expect(text).toContain(`claude mcp add --transport http ${name} http://localhost${path}</code>`)
})
