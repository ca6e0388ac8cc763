import { describe, expect, test } from 'vitest'
import { toolServers } from '../../facades/mcp/servers.ts'
import { documentedCodes } from '../../facades/openapi/error-codes.ts'
import { siteFacts } from '../../facades/shared/site-guide.ts'
import { removedMarkup, sharing, variables } from '../../facades/shared/template-guide.ts'
import { vocabulary } from '../../routers/rendering/vocabulary.ts'
import { descriptions } from '../openapi/descriptions.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const get = (path: string) => request(service.root, 'GET', path)

describe('/llms.txt', () => {
  test('consists of a title, a summary and lists of links', async () => {
    const { status, headers, text } = await get('/llms.txt')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^# Space Site\n\n> .+\n\n/)
    for (const { path } of toolServers) expect(text).toContain(`http://localhost${path}`)
  })

  test('has no broken links', async () => {
    const { text } = await get('/llms.txt')
    const addresses = [...text.matchAll(/\]\((http:\/\/localhost)([^)]+)\)/g)].map(match => match[2]!)
    expect(addresses.length).toBeGreaterThan(6)
    for (const address of addresses) {
      const headers = { accept: 'text/html, text/markdown, application/json' }
      const { status } = await request(service.root, 'GET', address, { headers })
      expect({ address, status }).toEqual({ address, status: 200 })
    }
  })
})

test('the guide explains every documented error', async () => {
  const { headers, text } = await get('/docs.md')
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
  for (const code of documentedCodes(descriptions)) expect(text).toContain(`- \`${code}\` (`)
})

test('the Markdown reference of the Space API explains how to build a site and write templates', async () => {
  const { text } = await get('/docs/space.md')
  const explained = [
    ...siteFacts.map(fact => fact.text),
    ...[...variables, ...sharing, ...removedMarkup].map(([, explanation]) => explanation),
    vocabulary.filters.join(', '),
  ]
  expect(explained.filter(words => !text.includes(words))).toEqual([])
  expect((await get('/docs/user.md')).text).not.toContain('Liquid')
})

describe.each(descriptions)('the $api.title as Markdown', ({ api, operations, document }) => {
  test('describes every operation with its path, tool and fields', async () => {
    const { text } = await get(`/docs/${api.name}.md`)
    for (const { method, path, meta, takesBody } of operations) {
      const section = text.split('\n### ').find(one => one.includes(`\`${method} ${path}\``)) ?? ''
      const schema =
        document.paths[path]![method.toLowerCase()]!.requestBody?.content['application/json'].schema
      const expected = [
        ...(meta.tool ? [`As a tool: \`${meta.tool.name}\``] : []),
        ...(takesBody ? ['```json'] : []),
        ...Object.keys(schema?.properties ?? {}).map(field => `- \`${field}\` (`),
        'Returns 2',
        'Errors: `unauthorized`',
      ]
      expect({ path, missing: expected.filter(words => !section.includes(words)) }).toEqual({
        path,
        missing: [],
      })
    }
  })
})
