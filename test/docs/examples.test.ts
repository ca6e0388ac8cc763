import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../facades/docs/samples.ts'
import { operationsOf } from '../../facades/operations/list.ts'
import { exampleIds } from '../../routers/api/fields.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const execute = promisify(execFile)

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const attribute = (element: Element, name: string) => element.attrs.find(one => one.name === name)?.value
const elementsOf = (node: Node): Element[] => [
  ...(defaultTreeAdapter.isElementNode(node) ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : []),
]
const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

type Codes = Record<Language, string>

/** The examples of a page, by the operation or the caption. */
const examplesOf = async (page: string): Promise<Map<string, Codes>> => {
  const elements = elementsOf(parse(await (await fetch(service.root + page)).text()))
  const figures = elements.filter(one => attribute(one, 'class') === 'code samples')
  return new Map(
    figures.map(figure => {
      const section = elements.findLast(
        one => attribute(one, 'data-path') !== undefined && elementsOf(one).includes(figure),
      )
      const [caption, ...codes] = figure.childNodes as Element[]
      const name = (section && attribute(section, 'id')) ?? textOf(caption!)
      return [
        name,
        Object.fromEntries(codes.map(code => [attribute(code, 'data-language'), textOf(code)])) as Codes,
      ]
    }),
  )
}

let folder: string
let examples: Map<string, Codes>
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-examples-'))
  const archive = path.join(folder, 'space-site.tgz')
  await writeFile(archive, Buffer.from(await (await fetch(`${service.root}/space-site.tgz`)).arrayBuffer()))
  await mkdir(path.join(folder, 'node_modules/space-site'), { recursive: true })
  await execute('tar', [
    'xzf',
    archive,
    '-C',
    path.join(folder, 'node_modules/space-site'),
    '--strip-components=1',
  ])
  for (const [name, text] of [
    ['pages/hello.html', '<h1>Changed</h1>\n'],
    ['pages/new.html', '<h1>New</h1>\n'],
    ['data/opening.json', '{"from": "09:00"}'],
  ] as const) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  examples = new Map([
    ...(await examplesOf('/docs')),
    ...(await examplesOf('/docs/space')),
    ...(await examplesOf('/docs/user')),
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the examples name must exist, so changes come before deletions, and creations of the same names after them. */
const METHODS = ['PUT', 'GET', 'PATCH', 'DELETE', 'POST']
/** Deleting a post deletes its comments and likes. */
const isOfPosts = (path: string) => /^\/posts(?:\/\{post_id\})?$/.test(path)
const operations = operationsOf(appRouter)
  .filter(({ meta }) => meta.api)
  .sort(
    (a, b) =>
      Number(isOfPosts(a.path)) - Number(isOfPosts(b.path)) ||
      METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  )
  .map(({ meta }) => meta.openapi!.operationId!)

const RECIPES = ['Read your space', 'Create a page', 'Repeat a call']
const SYNC = 'Copy a folder into a space, any number of times'

/** How to run examples one after the other in one process, until one fails. */
const RUNNERS: Record<Language, { extension: string; program: string; all: (names: string[]) => string }> = {
  curl: {
    extension: 'sh',
    program: 'bash',
    all: names =>
      ['set -e', 'curl() { command curl --silent --show-error --fail-with-body "$@"; echo; }']
        .concat(names.map(name => `. ./${name}`))
        .join('\n'),
  },
  javascript: {
    extension: 'mjs',
    program: process.execPath,
    all: names => names.map(name => `await import('./${name}')`).join('\n'),
  },
  python: {
    extension: 'py',
    program: 'python3',
    all: names => names.map(name => `exec(open("${name}").read(), {})`).join('\n'),
  },
  client: {
    extension: 'mjs',
    program: process.execPath,
    all: names => names.map(name => `await import('./${name}')`).join('\n'),
  },
}

test('every operation has an example in every language, and so do the recipes', () => {
  const written = [...examples].map(([name, codes]) => [name, Object.keys(codes)])
  expect(written).toEqual([...examples.keys()].map(name => [name, Object.keys(LANGUAGES)]))
  expect([...examples.keys()].sort()).toEqual([...operations, ...RECIPES, SYNC].sort())
})

test.each(Object.keys(LANGUAGES) as Language[])('every example in %s runs', async language => {
  const { extension, program, all } = RUNNERS[language]
  const space = await service.createSpace(`garden-${language}`)
  const { owner, api } = space
  const ids: Record<keyof typeof exampleIds, string> = {
    page: (await api.post<{ id: string }>('/pages', { slug: 'old', html: 'x' })).body.id,
    part: (await api.post<{ id: string }>('/parts', { name: 'old', html: 'x' })).body.id,
    file: (await api.post<{ id: string }>('/files', { name: 'x', content: 'x', encoding: 'text' })).body.id,
    post: (await owner.api.post<{ id: string }>('/posts', { html: 'x' })).body.id,
    comment: '',
  }
  ids.comment = (await owner.api.post<{ id: string }>(`/posts/${ids.post}/comments`, { body: 'x' })).body.id

  const names: string[] = []
  for (const [n, name] of [...operations, ...RECIPES, SYNC, SYNC].entries()) {
    const codes = examples.get(name)!
    let code = codes[language]
      .replaceAll(service.core.addresses.apiRoot, service.root)
      .replaceAll('/spaces/garden', `/spaces/${space.subdomain}`)
      .replaceAll("space: 'garden'", `space: '${space.subdomain}'`)
    for (const [kind, id] of Object.entries(exampleIds))
      code = code.replaceAll(id, ids[kind as keyof typeof ids])
    names.push(`${language}-${n}.${extension}`)
    await writeFile(path.join(folder, names[n]!), code)
  }
  const main = path.join(folder, `${language}.${extension}`)
  await writeFile(main, all(names))
  const env = {
    ...process.env,
    KEY: await space.key(...SPACE_SCOPES),
    TOKEN: await owner.token(...USER_SCOPES),
  }
  const { stderr } = await execute(program, [main], { cwd: folder, env })
  expect(stderr).toBe('')

  const slugs = (await api.get<{ data: { slug: string }[] }>('/pages')).body.data.map(({ slug }) => slug)
  expect(slugs).toEqual(['about-us', 'hello', ...(language === 'curl' ? [] : ['new']), 'retried'])
  const posts = (await owner.api.get<{ data: { format: string }[] }>('/posts')).body.data
  expect(posts.map(({ format }) => format)).toEqual(['rich'])
  expect((await api.get('/data/opening')).body.value).toEqual(
    language === 'curl' ? { from: '09:00' } : undefined,
  )
})
