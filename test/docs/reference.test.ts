import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5'
import { beforeAll, describe, expect, test } from 'vitest'
import { codesOfTool, errorCodesOf, ROUTING_ERRORS } from '../../facades/openapi/error-codes.ts'
import { operationsOf, toolsIn } from '../../facades/operations/list.ts'
import { errors } from '../../routers/api/errors.ts'
import { type CreationLimits, creationLimits } from '../../routers/api/rules.ts'
import { appRouter } from '../../routers/index.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

const PAGES = ['/docs', '/docs/space', '/docs/user', '/docs/client', '/docs/changelog']
const DOCUMENTS = ['/openapi.json', '/user-openapi.json']
/** Other addresses that the reference links to, in its header or in its text. */
const OTHERS = new Set([...DOCUMENTS, '/', '/mcp', '/admin', '/user-mcp'])

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document

/** Returns every element of a page. */
const elementsOf = (node: Node): DefaultTreeAdapterTypes.Element[] => [
  ...('tagName' in node ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : []),
]

const attribute = (element: DefaultTreeAdapterTypes.Element, name: string) =>
  element.attrs.find(attr => attr.name === name)?.value

interface Opened {
  headers: Headers
  text: string
  faults: ParserError[]
  elements: DefaultTreeAdapterTypes.Element[]
  ids: string[]
}

const open = async (path: string): Promise<Opened> => {
  const response = await fetch(service.root + path)
  const text = await response.text()
  const faults: ParserError[] = []
  const elements = elementsOf(parse(text, { onParseError: fault => faults.push(fault) }))
  return {
    headers: response.headers,
    text,
    faults,
    elements,
    ids: elements.flatMap(one => attribute(one, 'id') ?? []),
  }
}

const opened = new Map<string, Opened>()
beforeAll(async () => {
  for (const path of PAGES) opened.set(path, await open(path))
})

describe('the error codes in the reference', () => {
  const operations = operationsOf(appRouter).filter(({ meta }) => meta.api)
  const returned = new Set([
    ...operations.flatMap(errorCodesOf),
    ...toolsIn(appRouter).flatMap(codesOfTool),
    ...ROUTING_ERRORS,
  ])

  test.each([...returned])('%s has an anchor', code => {
    expect(opened.get('/docs')!.ids).toContain(`error-${code}`)
  })

  test('every anchor of an error names a code that the APIs can return', () => {
    const anchors = opened.get('/docs')!.ids.filter(id => /^error-.*(?<!-title)$/.test(id))
    expect(new Set(anchors.map(id => id.slice('error-'.length)))).toEqual(returned)
    expect(Object.keys(errors)).toEqual(expect.arrayContaining([...returned]))
  })

  test.each(['/spaces/garden', '/me', '/nowhere'])(
    'the `type` of an error at %s is a link to its explanation',
    async path => {
      const { body } = await service.rest().get(path)
      const { pathname, hash } = new URL(body.type!)
      expect((await open(pathname)).ids).toContain(hash.slice(1))
    },
  )
})

describe('the limits in the reference', () => {
  // Numbers that appear nowhere else on the page.
  const names = Object.keys(creationLimits) as (keyof CreationLimits)[]
  const own = Object.fromEntries(names.map((name, index) => [name, 7701 + index])) as CreationLimits
  const limited = useTestService({ creationLimits: own })

  // A sign-in beyond the limit of sessions is not refused; it ends the oldest session.
  test.each(names.filter(name => name !== 'sessions'))('include how many %s can be created', async name => {
    const text = await (await fetch(`${limited.root}/docs`)).text()
    expect(text).toContain(`<dd>${own[name].toLocaleString('en')}`)
  })
})

describe.each(PAGES)('the page %s', path => {
  const current = () => opened.get(path)!

  test('is well-formed', () => {
    expect(current().faults).toEqual([])
    expect(new Set(current().ids).size).toBe(current().ids.length)
  })

  test('has no dead links', () => {
    const dead = current()
      .elements.filter(({ tagName }) => tagName === 'a')
      .map(link => new URL(attribute(link, 'href')!, `http://host${path}`))
      .filter(({ host }) => host === 'host')
      .filter(({ pathname, hash }) => {
        const target = opened.get(pathname)
        return target ? hash !== '' && !target.ids.includes(hash.slice(1)) : !OTHERS.has(pathname)
      })
    expect(dead).toEqual([])
  })

  test('has one main heading and skips no level', () => {
    const levels = current()
      .elements.flatMap(({ tagName }) => /^h([1-6])$/.exec(tagName)?.[1] ?? [])
      .map(Number)
    expect(levels.filter(level => level === 1)).toEqual([1])
    const skips = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)
    expect(skips).toEqual([])
  })

  test('has a language, a main element and labeled navigations', () => {
    const { elements } = current()
    const one = (name: string) => elements.filter(({ tagName }) => tagName === name)
    expect(attribute(one('html')[0]!, 'lang')).toBe('en')
    expect(one('main')).toHaveLength(1)
    expect(one('nav').map(nav => attribute(nav, 'aria-label'))).toEqual(['Space Site', 'Reference'])
  })

  test('runs only its own script, which may call only this service, and has no other content of its own', () => {
    const { headers, text, elements } = current()
    const digestOf = (content: string) => createHash('sha256').update(content).digest('base64')
    const style = digestOf(/<style>(.*?)<\/style>/s.exec(text)![1]!)
    const script = digestOf(/<script data-base[^>]*>(.*?)<\/script>/s.exec(text)![1]!)
    const policy = headers.get('content-security-policy')!
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${style}'`,
      "img-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      `script-src 'sha256-${script}'`,
      "connect-src 'self'",
    ])
    expect(elements.filter(({ tagName }) => tagName === 'script').map(one => attribute(one, 'type'))).toEqual(
      ['application/json', undefined],
    )
    expect(
      elements.flatMap(one => one.attrs.filter(({ name }) => name === 'style' || name.startsWith('on'))),
    ).toEqual([])
  })

  test('shows one language of each example without its script', () => {
    const hidden = (one: DefaultTreeAdapterTypes.Element) => attribute(one, 'hidden') !== undefined
    const codes = current().elements.filter(one => attribute(one, 'data-language') !== undefined)
    const figures = Map.groupBy(codes, one => one.parentNode)
    for (const one of figures.values())
      expect(one.filter(code => !hidden(code)).map(code => attribute(code, 'data-language'))).toEqual([
        'curl',
      ])
  })
})

describe('the search', () => {
  type Found = [title: string, where: string, href: string, words: string]
  const index = () =>
    JSON.parse(/id="search-index">(.*?)<\/script>/s.exec(opened.get('/docs')!.text)![1]!) as Found[]

  test('is the same on every page, and leads to places that exist', () => {
    for (const { text } of opened.values())
      expect(JSON.parse(/id="search-index">(.*?)<\/script>/s.exec(text)![1]!)).toEqual(index())
    const dead = index().filter(([, , href]) => {
      const { pathname, hash } = new URL(href, 'http://host')
      return !opened.get(pathname)?.ids.includes(hash.slice(1))
    })
    expect(dead).toEqual([])
  })

  test.each(operationsOf(appRouter).filter(({ meta }) => meta.api))(
    'finds $name and its fields',
    operation => {
      const { operationId, summary } = operation.meta.openapi!
      const [, , , words] = index().find(([, , href]) => href.endsWith(`#${operationId}`))!
      const expected = [operationId!, operation.method, operation.path, ...Object.keys(operation.input.shape)]
      expect(words.split(' ')).toEqual(expect.arrayContaining(expected))
      expect(index().map(([title]) => title)).toContain(summary)
    },
  )

  test.each([
    'validation_failed',
    'Safe retries',
    'Sync from another source',
    'ETag',
    'Order of checks',
    'PageWithHtml',
  ])('finds %s', title => {
    expect(index().map(([one]) => one.split(' ')[0])).toContain(title.split(' ')[0])
  })

  test('finds the filters of templates', () => {
    const [, , , words] = index().find(([title]) => title === 'Filters')!
    expect(words.split(' ')).toContain('money_with_currency')
  })
})

describe('the page of an API', () => {
  test.each(operationsOf(appRouter).filter(({ meta }) => meta.api))('describes $name', ({ meta }) => {
    expect(opened.get(`/docs/${meta.api}`)!.ids).toContain(meta.openapi!.operationId)
  })
})

describe.each([...PAGES, ...DOCUMENTS])('%s', path => {
  test('answers GET and HEAD only', async () => {
    const head = await fetch(service.root + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(service.root + path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is answered with 304 if the client has the current version', async () => {
    const first = await fetch(service.root + path)
    const again = await fetch(service.root + path, {
      // Without this `cache-control`, `fetch` would send `no-cache`.
      headers: { 'if-none-match': first.headers.get('etag')!, 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
  })
})

test.each([
  ['/openapi.json', '1.6.0'],
  ['/user-openapi.json', '1.3.0'],
])('%s is an OpenAPI document of version %s', async (path, version) => {
  const response = await fetch(service.root + path)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version } })
})
