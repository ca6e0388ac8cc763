import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const execute = promisify(execFile)
const PROJECT = path.resolve(import.meta.dirname, '../..')

let folder: string
/** The examples of the description, each a module of its own. */
let examples: string[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-client-'))
  const archive = path.join(folder, 'space-site.tgz')
  await writeFile(archive, Buffer.from(await (await fetch(`${service.root}/space-site.tgz`)).arrayBuffer()))
  const installed = path.join(folder, 'node_modules/space-site')
  await mkdir(installed, { recursive: true })
  await execute('tar', ['xzf', archive, '-C', installed, '--strip-components=1'])
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await mkdir(path.join(folder, 'photos'))
  await writeFile(path.join(folder, 'photos/beans.png'), 'not really a picture')

  const text = await readFile(path.join(installed, 'CLIENT.md'), 'utf8')
  const blocks = [...text.matchAll(/^```(?:js|ts)\n(.*?)^```$/gms)].map(([, code]) => code!)
  // The first one makes the client that the others use.
  const [, start] = /^(.*\bconst client = .*?\n)/s.exec(blocks[0]!)!
  examples = blocks.map(code => (code.includes('const client =') ? code : start + code))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runtimes = [
  ['this Node.js', process.execPath],
  // That of the machine is an older one.
  ['the Node.js of the machine', '/usr/bin/node'],
].filter(([, program]) => existsSync(program!)) as [string, string][]

test.each(runtimes)('every example of the description runs with %s', async (_, node) => {
  const space = await service.createSpace()
  const env = {
    ...process.env,
    KEY: await space.key('pages', 'data', 'files_write'),
    TOKEN: await space.owner.token('posts', 'comments'),
  }
  const names = examples.map((_, n) => `example-${n}.mjs`)
  for (const [n, code] of examples.entries()) {
    const own = code
      .replaceAll('https://space.example', service.root)
      .replaceAll("space: 'garden'", `space: '${space.subdomain}'`)
      // Types of inputs and results; older versions of Node.js do not remove them.
      .replace(/^import type .*$/m, '')
      .replace("(input: CreatePageInput): Promise<Page['url']>", '(input)')
    await writeFile(path.join(folder, names[n]!), own)
  }
  await writeFile(path.join(folder, 'all.mjs'), names.map(name => `await import('./${name}')`).join('\n'))
  const { stdout, stderr } = await execute(node, ['all.mjs'], { cwd: folder, env })
  expect(stderr).toBe('')
  const site = `http://${space.subdomain}.sites.localhost`
  expect(stdout.trim().split('\n')).toEqual([
    `${site}/hello`,
    expect.stringMatching(/^slug /),
    expect.stringMatching(/^html /),
    'true',
    '1',
    'missing_part',
    `${site}/typed`,
  ])
})

/** Code that the types accept, and in the lines after `@ts-expect-error` refuse. */
const TYPED = `
import { ApiError, createClient, type ErrorCode, fileFrom, headersOf, nextOf, type PageKind } from 'space-site'
const url = 'https://space.example'
const space = createClient({ url, space: 'garden', key: 'x', retry: { attempts: 2 } })
const user = createClient({ url, token: 'x', retry: false })
const page = await space.getPage({ page_id: 'x' })
export const kind: PageKind = page.kind
export const none: void = await space.deletePage({ page_id: page.id }, { ifMatch: page })
export const after: string | undefined = nextOf(await user.listComments({ post_id: 'x', after: undefined }))?.after
export const tag: string | null = headersOf(page).get('etag')
await user.updatePost({ post_id: 'x', format: 'reblog', url: 'https://beans.example', text: 'x' })
await user.createPost({ html: 'x' }, { idempotencyKey: 'x', signal: AbortSignal.timeout(1) })
await space.putData({ key: 'x', value: [1, null], description: null }, { ifNoneMatch: '*' })
await space.uploadFile(await fileFrom(new Uint8Array(1), 'x'))
export const codeOf = (error: unknown): ErrorCode | 'unexpected_response' | undefined =>
  error instanceof ApiError ? error.code : undefined
// @ts-expect-error a field that does not exist
await space.createPage({ slug: 'x', html: 'x', color: 'red' })
// @ts-expect-error a field is missing
await space.createPage({ slug: 'x' })
// @ts-expect-error a field of another format
await user.createPost({ format: 'markdown', markdown: 'x', url: 'https://beans.example' })
// @ts-expect-error an operation of the other API
await user.listPages()
// @ts-expect-error a read has no key
await space.listPages({ idempotencyKey: 'x' })
// @ts-expect-error bytes have no name
await fileFrom(new Uint8Array(1))
// @ts-expect-error not a code
export const isWrong = (error: ApiError) => error.code === 'nonsense'
`

describe('the types', () => {
  test('accept the examples and refuse mistakes', async () => {
    const files = [...examples, TYPED].map((code, n) => [`typed-${n}.mts`, code] as const)
    for (const [name, code] of files) await writeFile(path.join(folder, name), code)
    const config = {
      compilerOptions: {
        strict: true,
        target: 'es2024',
        module: 'nodenext',
        moduleDetection: 'force',
        noEmit: true,
        types: ['node'],
        typeRoots: [path.join(PROJECT, 'node_modules/@types')],
      },
      files: files.map(([name]) => name),
    }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await execute(path.join(PROJECT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  test('declare what the module has', async () => {
    const declared = await readFile(path.join(folder, 'node_modules/space-site/index.d.ts'), 'utf8')
    const names = [...declared.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name)
    const module = (await import(path.join(folder, 'node_modules/space-site/client.mjs'))) as object
    expect(new Set(Object.keys(module))).toEqual(new Set(names))
  })
})
