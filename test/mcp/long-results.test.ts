import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Writes a string over REST, then reads it over REST and with a tool. Returns the text of both responses. */
const readBack = async (secret: string, subdomain: string, text: string) => {
  const authorization = `Bearer ${secret}`
  const record = `/v1/spaces/${subdomain}/data/text`
  const put = await request(service.root, 'PUT', record, {
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ value: text }),
  })
  expect(put.status).toBe(200)
  const read = await request(service.root, 'GET', record, { headers: { authorization } })
  const call = { name: 'get_data', arguments: { key: 'text' } }
  const tool = await request(service.root, 'POST', '/mcp', {
    headers: { authorization, 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  return { json: read.text, tool: tool.text }
}

describe('a tool result with a long string', () => {
  const pieces = ['a', 'plain text ', '"', '\\', '\n', '\0', '\u001f', '\u007f', 'ü', '€', '\u2028', '😀']
  const texts = fc
    .tuple(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 4_000, max: 65_000 }),
      fc.constantFrom('', '\ud83d'),
    )
    .map(([parts, bytes, end]) => {
      const part = parts.join('')
      return part.repeat(bytes / Buffer.byteLength(JSON.stringify(part))) + end
    })

  test('has the bytes that JSON.stringify would write, both in its structured content and in its text', async () => {
    const { subdomain, key } = await service.createSpace()
    const secret = await key(...SPACE_SCOPES)
    await fc.assert(
      fc.asyncProperty(texts, async text => {
        const { json, tool } = await readBack(secret, subdomain, text)
        const result = `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`
        expect(tool === `{"jsonrpc":"2.0","id":1,"result":${result}}`).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test.each([32_766, 32_767, 32_768])(
    'does not split a character of two code units at position %i',
    async position => {
      const { subdomain, key } = await service.createSpace()
      const text = `${'x'.repeat(position)}😀${'y'.repeat(5_000)}`
      const { json, tool } = await readBack(await key(...SPACE_SCOPES), subdomain, text)
      expect((JSON.parse(json) as { value: string }).value).toBe(text)
      const { result } = JSON.parse(tool) as {
        result: { content: { text: string }[]; structuredContent: { value: string } }
      }
      expect(result.structuredContent.value).toBe(text)
      expect(result.content[0]!.text).toBe(json)
    },
  )
})
