import { describe, expect, test } from 'vitest'
import { errors } from '../../routers/core/errors.ts'
import { conformityWith, requestSchemaAt } from './conformity.ts'
import { descriptions } from './described.ts'

describe.each(descriptions)('the document of the $api.title', ({ api, document, operations }) => {
  const conformity = conformityWith(document)
  const documented = operations.map(operation => {
    const method = operation.method.toLowerCase()
    return { operation, method, entry: document.paths[operation.path]![method]! }
  })

  test('has every operation once, and no other', () => {
    const count = Object.values(document.paths).flatMap(methods => Object.keys(methods)).length
    expect(count).toBe(operations.length)
    expect(new Set(documented.map(({ entry }) => entry.operationId)).size).toBe(operations.length)
  })

  test('declares every scope and tag that operations name', () => {
    for (const { entry } of documented) {
      expect(Object.keys(api.tags)).toEqual(expect.arrayContaining(entry.tags))
      expect(Object.keys(api.scopes)).toEqual(
        expect.arrayContaining(entry.security.flatMap(Object.values).flat()),
      )
    }
  })

  test.each(documented)('$entry.operationId answers with its one real success', ({ operation, entry }) => {
    const { status = 200 } = operation.meta
    const successes = Object.keys(entry.responses).filter(code => code.startsWith('2'))
    expect(successes).toEqual([String(status)])
    expect('content' in entry.responses[status]!).toBe(status !== 204)
  })

  test.each(documented)('$entry.operationId documents each failure it declares', ({ operation, entry }) => {
    const codes = conformity.codesOf(entry)
    expect(codes).toEqual(expect.arrayContaining([...(operation.meta.errors ?? []), 'unauthorized']))
    for (const code of codes)
      expect(Object.keys(entry.responses)).toContain(String(errors[code as keyof typeof errors].status))
  })

  test.each(documented.filter(({ entry }) => entry.requestBody))(
    '$entry.operationId has a closed body whose example it accepts',
    ({ operation, method, entry }) => {
      const { schema, example } = entry.requestBody!.content['application/json']
      expect(schema.additionalProperties).toBe(false)
      expect(conformity.schemaFaults(example, requestSchemaAt(operation.path, method))).toEqual([])
      expect(operation.pathParameters.filter(name => schema.properties?.[name])).toEqual([])
    },
  )

  test.each(documented)(
    '$entry.operationId shows answers that it could give',
    ({ operation, method, entry }) => {
      for (const [status, response] of Object.entries(entry.responses)) {
        if (!('content' in response)) continue
        for (const [type, { example, examples = {} }] of Object.entries(response.content ?? {})) {
          const shown = [example, ...Object.values(examples).map(one => 'value' in one && one.value)]
          for (const value of shown.filter(Boolean)) {
            const answer = { status: Number(status), headers: headersWith(type), text: JSON.stringify(value) }
            expect(conformity.answerFaults(operation.path, method, answer)).toEqual([])
          }
        }
      }
    },
  )

  test('shows failures that fit', () => {
    for (const { value } of Object.values(document.components.examples))
      expect(conformity.schemaFaults(value, '#/components/schemas/Problem')).toEqual([])
  })
})

const headersWith = (type: string) =>
  new Headers({
    'content-type': type,
    'ratelimit-limit': '60',
    'ratelimit-remaining': '59',
    'ratelimit-reset': '60',
  })

describe('the document of the Space API', () => {
  const { document } = descriptions[0]!

  test('is version 1.6.0 at the real base address', () => {
    expect(document.info.version).toBe('1.6.0')
    expect(document.servers[0]!.url).toBe('https://api.garden.test/v1')
    expect(document.openapi).toBe('3.1.0')
  })

  test.each([
    ['an empty change of a page', '/spaces/{subdomain}/pages/{page_id}', {}],
    ['an empty change of a part', '/spaces/{subdomain}/parts/{part_id}', {}],
    ['an unknown field', '/spaces/{subdomain}/pages/{page_id}', { html: 'x', colour: 'red' }],
    ['content without encoding', '/spaces/{subdomain}/files/{file_id}', { content: 'eA==' }],
    ['encoding without content', '/spaces/{subdomain}/files/{file_id}', { encoding: 'text' }],
  ])('refuses %s', (_what, path, body) => {
    expect(conformityWith(document).schemaFaults(body, requestSchemaAt(path, 'patch'))).not.toEqual([])
  })
})
