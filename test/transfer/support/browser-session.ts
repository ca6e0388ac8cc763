import { beforeAll } from 'vitest'
import type { ProblemBody } from '../../../routers/api/problem.ts'
import type { ImportResult } from '../../../routers/content/transfer/import-space.ts'
import { type TestService, type TestSpace, uniqueName } from '../../support/test-service.ts'

const password = 'correct horse battery'

interface Answer {
  status: number
  body: Partial<ImportResult & ProblemBody>
}

/** A person with a session cookie who exports and imports spaces. */
export interface Mover {
  /** The session cookie, as in a `Cookie` header. */
  cookie: string
  /** Creates a space of this person. */
  space: () => Promise<TestSpace>
  download: (subdomain: string, headers?: Record<string, string>) => Promise<Response>
  /** Exports a space and returns its archive. */
  archive: (subdomain: string) => Promise<Buffer>
  upload: (
    subdomain: string,
    archive: Buffer | ReadableStream<Uint8Array>,
    query?: string,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  /** Imports an archive: requests a preview and then confirms it. */
  put: (subdomain: string, archive: Buffer, query?: string) => Promise<Answer>
}

/** Creates an account with a space and signs in as a browser does. */
export const signInMover = async (service: TestService): Promise<Mover> => {
  const owner = await service.signUp(uniqueName('mover'))
  const response = await fetch(`${service.root}/trpc/sessions.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle: owner.handle, password }),
  })
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!
  const at = (subdomain: string, query = '') => `${service.root}/transfer/${subdomain}?${query}`
  const upload: Mover['upload'] = async (subdomain, archive, query, headers) => {
    const answer = await fetch(at(subdomain, query), {
      method: 'POST',
      headers: { cookie, ...headers },
      body: archive instanceof Buffer ? new Uint8Array(archive) : archive,
      duplex: 'half',
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  const download: Mover['download'] = (subdomain, headers) =>
    fetch(at(subdomain), { headers: { cookie, ...headers } })
  return {
    cookie,
    space: () => service.createSpace(undefined, owner),
    download,
    archive: async subdomain => Buffer.from(await (await download(subdomain)).arrayBuffer()),
    upload,
    put: async (subdomain, archive, query = '') => {
      const preview = await upload(subdomain, archive, query)
      if (preview.status !== 200) return preview
      return upload(subdomain, archive, `${query}&plan=${preview.body.plan}`)
    },
  }
}

/** Signs a person in before the tests of a file. */
export const useMover = (service: TestService): Mover => {
  const mover = {} as Mover
  beforeAll(async () => {
    Object.assign(mover, await signInMover(service))
  })
  return mover
}
