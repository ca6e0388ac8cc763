import { describe, expect, test } from 'vitest'
import { describe as describeApi } from '../../facades/openapi/describe.ts'
import type { Response } from '../../facades/openapi/document.ts'
import { spaceApi } from '../../facades/shared/apis.ts'
import { errors } from '../../routers/api/errors.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { appRouter } from '../../routers/index.ts'
import { NewPost } from '../../routers/social/posts/schema.ts'
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
      expect(checker.schemaErrors(example, requestSchemaAt(operation.path, method))).toEqual([])
      for (const { additionalProperties, properties = {} } of schema.oneOf ?? [schema]) {
        expect(additionalProperties).toBe(false)
        expect(operation.pathParameters.filter(name => name in properties)).toEqual([])
      }
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

  test.each(documented)(
    '$entry.operationId has an example of a response that fits its example of a request',
    ({ operation, entry }) => {
      const sent = entry.requestBody?.content['application/json'].example as
        | Record<string, unknown>
        | undefined
      const response = entry.responses[operation.meta.status ?? 200] as Response
      const got = (response.content?.['application/json']?.example ?? {}) as Record<string, unknown>
      // A post in Markdown becomes a rich one.
      const written = Object.entries(sent?.format === 'markdown' ? { ...sent, format: 'rich' } : (sent ?? {}))
      // The `id` in the response is that in the path, except after the creation of a comment on a post.
      const named = entry.parameters
        .filter(({ in: place, name }) => place === 'path' && !(name === 'post_id' && 'post_id' in got))
        .map(({ name, schema }) => [name.endsWith('_id') ? 'id' : name, schema.examples![0]] as const)
      const expected = [...written, ...named].filter(([name]) => name in got)
      expect(got).toMatchObject(Object.fromEntries(expected))
    },
  )

  test('has limits that are integers, so that a generated client survives another limit', () => {
    const rules = JSON.stringify(document.components.schemas[api.name === 'space' ? 'Rules' : 'UserRules'])
    expect(rules).toContain('"type":"integer"')
    expect(rules).not.toMatch(/"const":\d|"type":"number"/)
  })

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

describe('the document of the User API', () => {
  const { document } = descriptions[1]!
  const schemaErrors = (body: unknown, path = '/posts', method = 'post') =>
    documentChecker(document).schemaErrors(body, requestSchemaAt(path, method))

  test.each([
    [{ html: 'x' }],
    [{ format: 'html', html: 'x', tags: ['a'] }],
    [{ format: 'markdown', markdown: 'x' }],
    [{ format: 'reblog', url: 'https://beans.example/', text: 'x' }],
  ])('accepts the new post %j', body => {
    expect(schemaErrors(body)).toEqual([])
  })

  test.each([
    [{ markdown: 'x' }],
    [{ format: 'html', markdown: 'x' }],
    [{ format: 'markdown', markdown: 'x', text: 'x' }],
    [{ format: 'reblog' }],
    [{ format: 'rich', html: 'x' }],
  ])('rejects the new post %j, as the service does', body => {
    expect(schemaErrors(body)).not.toEqual([])
    expect(NewPost.safeParse(body).success).toBe(false)
  })

  test('has no tags in the body of an update', () => {
    const path = '/posts/{post_id}'
    expect(schemaErrors({ html: 'x' }, path, 'patch')).toEqual([])
    expect(schemaErrors({ html: 'x', tags: [] }, path, 'patch')).not.toEqual([])
  })
})

describe('the contact of an API', () => {
  test.each([
    ['help@garden.test', { email: 'help@garden.test' }],
    ['https://garden.test/help', { url: 'https://garden.test/help' }],
    [undefined, { url: 'https://docs.garden.test/#help' }],
  ])('is %s', (contact, expected) => {
    const { info } = describeApi(appRouter, spaceApi, {
      apiRoot: 'https://api.garden.test',
      docsUrl: 'https://docs.garden.test/',
      callsPerMinute: 60,
      creationLimits,
      contact,
    }).document
    expect(info.contact).toEqual({ name: 'The operator of this service', ...expected })
  })
})

describe('the document of the Space API', () => {
  const { document } = descriptions[0]!

  test('has an open schema of the schema of a record, which can have any keys', () => {
    const { schema } = document.components.schemas.DataRecord!.properties!
    expect(schema).toMatchObject({ type: 'object', additionalProperties: true })
  })

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
