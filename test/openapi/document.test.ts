import { describe, expect, test } from 'vitest'
import { errors } from '../../routers/api/errors.ts'
import { descriptions } from './descriptions.ts'
import { documentChecker, requestSchemaAt } from './document-checker.ts'

describe.each(descriptions)('the document of the $api.title', ({ api, document, operations }) => {
  const checker = documentChecker(document)
  const documented = operations.map(operation => {
    const method = operation.method.toLowerCase()
    return { operation, method, entry: document.paths[operation.path]![method]! }
  })

  test('lists every operation exactly once', () => {
    const count = Object.values(document.paths).flatMap(methods => Object.keys(methods)).length
    expect(count).toBe(operations.length)
    expect(new Set(documented.map(({ entry }) => entry.operationId)).size).toBe(operations.length)
  })

  test('declares every scope and tag that its operations use', () => {
    for (const { entry } of documented) {
      expect(Object.keys(api.tags)).toEqual(expect.arrayContaining(entry.tags))
      expect(Object.keys(api.scopes)).toEqual(
        expect.arrayContaining(entry.security.flatMap(Object.values).flat()),
      )
    }
  })

  test.each(documented)(
    '$entry.operationId documents its own success status and no other',
    ({ operation, entry }) => {
      const { status = 200 } = operation.meta
      const successes = Object.keys(entry.responses).filter(code => code.startsWith('2'))
      expect(successes).toEqual([String(status)])
      expect('content' in entry.responses[status]!).toBe(status !== 204)
    },
  )

  test.each(documented)('$entry.operationId documents every error it declares', ({ operation, entry }) => {
    const codes = checker.errorCodesOf(entry)
    expect(codes).toEqual(expect.arrayContaining([...(operation.meta.errors ?? []), 'unauthorized']))
    for (const code of codes)
      expect(Object.keys(entry.responses)).toContain(String(errors[code as keyof typeof errors].status))
  })

  test.each(documented.filter(({ entry }) => entry.requestBody))(
    '$entry.operationId has a strict body schema that matches its example',
    ({ operation, method, entry }) => {
      const { schema, example } = entry.requestBody!.content['application/json']
      expect(schema.additionalProperties).toBe(false)
      expect(checker.schemaErrors(example, requestSchemaAt(operation.path, method))).toEqual([])
      expect(operation.pathParameters.filter(name => schema.properties?.[name])).toEqual([])
    },
  )

  test.each(documented)(
    '$entry.operationId has response examples that match their schemas',
    ({ operation, method, entry }) => {
      for (const [status, response] of Object.entries(entry.responses)) {
        if (!('content' in response)) continue
        for (const [type, { example, examples = {} }] of Object.entries(response.content ?? {})) {
          const values = [example, ...Object.values(examples).map(one => 'value' in one && one.value)]
          for (const value of values.filter(Boolean)) {
            const received = {
              status: Number(status),
              headers: headersWith(type),
              text: JSON.stringify(value),
            }
            expect(checker.responseErrors(operation.path, method, received)).toEqual([])
          }
        }
      }
    },
  )

  test('has error examples that match the Problem schema', () => {
    for (const { value } of Object.values(document.components.examples))
      expect(checker.schemaErrors(value, '#/components/schemas/Problem')).toEqual([])
  })
})

const headersWith = (type: string) =>
  new Headers({
    'content-type': type,
    'ratelimit-limit': '60',
    'ratelimit-remaining': '59',
    'ratelimit-reset': '60',
    etag: '"tag"',
    location: 'https://api.garden.test/v1/made',
    'x-request-id': 'k3v9mq2xw7ab5r8t',
  })

describe('the document of the Space API', () => {
  const { document } = descriptions[0]!

  test('is version 1.6.0 and names the public base address', () => {
    expect(document.info.version).toBe('1.6.0')
    expect(document.servers[0]!.url).toBe('https://api.garden.test/v1')
    expect(document.openapi).toBe('3.1.0')
  })

  test.each([
    ['an empty page update', '/spaces/{subdomain}/pages/{page_id}', {}],
    ['an empty part update', '/spaces/{subdomain}/parts/{part_id}', {}],
    ['an unknown field', '/spaces/{subdomain}/pages/{page_id}', { html: 'x', color: 'red' }],
    ['content without encoding', '/spaces/{subdomain}/files/{file_id}', { content: 'eA==' }],
    ['encoding without content', '/spaces/{subdomain}/files/{file_id}', { encoding: 'text' }],
  ])('rejects %s', (_what, path, body) => {
    expect(documentChecker(document).schemaErrors(body, requestSchemaAt(path, 'patch'))).not.toEqual([])
  })
})
