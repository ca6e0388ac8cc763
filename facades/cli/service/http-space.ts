import { setTimeout as wait } from 'node:timers/promises'
import { Away, Failure, NoAccess } from '../failure.ts'
import { MANIFEST, parseManifest, withSettings } from '../folder/manifest.ts'
import type { SpaceAddress } from './address.ts'
import type { Credential } from './credential.ts'
import { type Change, pathOfChange, pathOfThing, type Undo, type Undone } from './history.ts'
import {
  ChangedMeanwhile,
  type Listing,
  type Push,
  type Pushed,
  type RemoteItem,
  type Space,
} from './space.ts'
import { pack, unpack } from './zip.ts'

/** How long the service waits for a change before it answers that there is none, in s. */
const WAIT = 25

/** The longest wait for the service that a command accepts, in s, and how often it tries. */
const MAX_WAIT = 60
const ATTEMPTS = 5

interface Sent {
  method: 'GET' | 'POST' | 'PATCH'
  /** The part of the space: `items` by default. */
  what?: string
  type?: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** A listing, and the tag by which the service recognizes it. */
export interface KnownListing {
  etag: string
  listing: Listing
}

/** Whether a request may have had an effect although no answer came. */
const isWrite = ({ method, what = 'items' }: Sent): boolean =>
  method === 'PATCH' || (method === 'POST' && what !== 'items')

interface ProblemBody {
  code?: string
  detail?: string
  title?: string
  errors?: { field: string; message: string }[]
}

const isProblem = (value: unknown): value is ProblemBody => typeof value === 'object' && value !== null

/** Returns the subdomain of the space that a credential is for. @throws {Failure} */
export const spaceOf = async (
  root: string,
  credential: Credential,
  request: typeof fetch,
): Promise<string> => {
  const headers = { Authorization: `Bearer ${await credential.secret()}` }
  const answer = await request(`${root}/transfer`, { headers, redirect: 'manual' })
    .then(response => response.json() as Promise<{ subdomain?: unknown } | null>)
    .catch(() => null)
  if (typeof answer?.subdomain !== 'string')
    throw new Failure(`${root} does not say which space this is; run space login again.`)
  return answer.subdomain
}

/** A space of a service. Its key is sent to no other origin: redirects are not followed. */
export class HttpSpace implements Space {
  readonly #at: SpaceAddress
  readonly #credential: Credential
  readonly #fetch: typeof fetch
  /** The last listing. If it is still current, the service says so instead of sending it. */
  known: KnownListing | undefined
  /** Whether {@link waitForChange} follows all changes, so that the last listing counts as current until a request fails. */
  isWatched = false
  #isCurrent = false
  onProgress: ((step: string) => void) | undefined

  constructor(at: SpaceAddress, credential: Credential, request: typeof fetch) {
    this.#at = at
    this.#credential = credential
    this.#fetch = request
  }

  async list(): Promise<Listing> {
    if (this.isWatched && this.#isCurrent && this.known) return this.known.listing
    return this.#list(this.known, {})
  }

  /**
   * Waits for a change of the space since the last listing.
   *
   * @param signal ends the wait
   * @returns whether there is one; false after a while without
   */
  async waitForChange(signal: AbortSignal): Promise<boolean> {
    const { known } = this
    // A connection whose other end is gone, as after a computer has slept, must not be waited for.
    const patience = AbortSignal.timeout((WAIT + 20) * 1000)
    const headers = { Prefer: `wait=${WAIT}` }
    await this.#list(known, { headers, signal: AbortSignal.any([signal, patience]) })
    return this.known?.etag !== known?.etag
  }

  async #list(known: KnownListing | undefined, sent: Pick<Sent, 'headers' | 'signal'>): Promise<Listing> {
    const headers: Record<string, string> = { ...sent.headers, ...(known && { 'If-None-Match': known.etag }) }
    this.onProgress?.(`Asking ${this.#at.origin} what is in the space`)
    const response = await this.#send({ ...sent, method: 'GET', headers })
    this.#isCurrent = true
    if (response.status === 304 && known) return known.listing
    const answer = (await response.json().catch(() => null)) as
      | (Listing & { icon?: RemoteItem | null })
      | null
    if (!Array.isArray(answer?.items)) throw this.#noService()
    const { icon, ...listing } = answer
    if (icon) listing.items.push(icon)
    this.known = { etag: response.headers.get('etag') ?? '', listing }
    return listing
  }

  async read(paths: readonly string[]): Promise<Map<string, Uint8Array>> {
    this.#isCurrent = false
    const body = JSON.stringify({ paths })
    const response = await this.#send({ method: 'POST', type: 'application/json', body })
    const archive = await response.arrayBuffer().catch(() => {
      throw this.#away('Nothing was changed.')
    })
    const sizes = new Map(this.known!.listing.items.map(({ path, size }) => [path, size]))
    return unpack(new Uint8Array(archive), sizes)
  }

  async write({ contents, settings, changes }: Push): Promise<Pushed> {
    this.#isCurrent = false
    const manifest = withSettings(
      { ...parseManifest(null), files_domain: this.known!.listing.files_domain },
      settings,
    )
    const described = Buffer.from(JSON.stringify({ ...manifest, changes }))
    const body = await pack([[MANIFEST, described], ...contents])
    this.onProgress?.(`Sending ${Object.keys(changes).length} items`)
    const response = await this.#send({ method: 'PATCH', type: 'application/zip', body })
    return (await response.json().catch(() => {
      throw this.#unknownEnd()
    })) as Pushed
  }

  /** Lists the last changes of the space, newest first. */
  async changes(filter: Readonly<Record<string, string>> = {}): Promise<Change[]> {
    const query = new URLSearchParams(filter).toString()
    const response = await this.#send({ method: 'GET', what: `changes${query && `?${query}`}` })
    const list = (await response.json().catch(() => null)) as { changes?: Change[] } | null
    if (!list?.changes) throw this.#noService()
    return list.changes
  }

  /**
   * Undoes a change of one item, or all changes of an operation.
   *
   * @param id the id of the change or of the operation
   * @throws {Failure} also if the item has changed since
   */
  async undo(id: string): Promise<Undone> {
    const [, kind, thing] = /^\d+-(page|part|record|file|space)-(.+)$/s.exec(id) ?? []
    if (kind === undefined || thing === undefined) {
      const { operation, steps, skipped } = await this.#post<Undo>('undo', { operation: id })
      return { operation, changed: steps.map(pathOfThing), skipped: skipped.map(pathOfThing) }
    }
    const [latest] = await this.changes({ kind, thing })
    if (latest && latest.id !== id)
      throw new Failure(
        `${pathOfChange(latest)} has changed since, so nothing was undone. The last change of it is ${latest.id}; earlier versions are at ${this.#at.address}/history`,
      )
    const { operation } = await this.#post<{ operation: string | null }>('restore', {
      change_id: id,
      side: 'before',
    })
    return { operation, changed: operation && latest ? [pathOfChange(latest)] : [], skipped: [] }
  }

  async #post<Answer>(what: string, body: object): Promise<Answer> {
    const sent = { method: 'POST', what, type: 'application/json', body: JSON.stringify(body) } as const
    const response = await this.#send(sent)
    return (await response.json().catch(() => {
      throw this.#unknownEnd()
    })) as Answer
  }

  async #send(sent: Sent): Promise<Response> {
    let secret = await this.#credential.secret()
    let isRenewed = false
    for (let attempt = 1; ; attempt++) {
      const response = await this.#request(sent, secret)
      if (response.ok || response.status === 304) return response
      if (response.status === 401 && !isRenewed) {
        isRenewed = true
        const fresh = await this.#credential.renewed(secret)
        if (fresh !== null) {
          await response.body?.cancel()
          secret = fresh
          continue
        }
      }
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      // A 429 means that nothing happened. After a 503, only a read is safe to repeat.
      const isWorthWaiting = response.status === 429 || (response.status === 503 && !isWrite(sent))
      if (!isWorthWaiting || !(seconds <= MAX_WAIT) || attempt === ATTEMPTS)
        throw await this.#failure(response)
      await response.body?.cancel()
      await wait(seconds * 1000, undefined, sent.signal ? { signal: sent.signal } : {})
    }
  }

  async #request(sent: Sent, secret: string): Promise<Response> {
    const { method, what = 'items', type, body, headers, signal } = sent
    const { root, subdomain } = this.#at
    try {
      return await this.#fetch(`${root}/transfer/${subdomain}/${what}`, {
        method,
        signal: signal ?? null,
        redirect: 'manual',
        headers: {
          Authorization: `Bearer ${secret}`,
          ...(type === undefined ? {} : { 'Content-Type': type }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
      })
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      const wasNeverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(cause?.code ?? '')
      throw isWrite(sent) && !wasNeverSent ? this.#unknownEnd() : this.#away('Nothing was changed.')
    }
  }

  #away(consequence: string): Failure {
    return new Away(`${this.#at.origin} cannot be reached. ${consequence} Try again later.`)
  }

  #unknownEnd(): Failure {
    return new Failure(
      `The connection to ${this.#at.origin} ended before its answer; run space pull, which finds out whether the change has arrived.`,
    )
  }

  #noService(): Failure {
    return new Failure(`${this.#at.root} is no Space Site, or one that is too old for this command.`)
  }

  async #failure(response: Response): Promise<Error> {
    const problem: unknown = await response.json().catch(() => null)
    const { address } = this.#at
    if (!isProblem(problem) || problem.code === undefined) return this.#noService()
    const { code, errors = [] } = problem
    const [first] = errors
    switch (code) {
      case 'space_changed':
        return new ChangedMeanwhile(errors.map(({ field }) => field))
      case 'unauthorized':
        return new NoAccess(this.#credential.whenEnded)
      case 'space_mismatch':
        return new NoAccess(
          `The key belongs to another space than ${address}; run space login with one of this space.`,
        )
      case 'insufficient_scope':
        return new NoAccess(
          `The key lacks a scope: reading needs pages, data and files, and pushing files needs files_write; create another key in the dashboard and run: space login ${address}`,
        )
      case 'unavailable':
      case 'rate_limited':
        return new Away(`${problem.detail ?? code} Nothing was changed.`)
      case 'validation_failed':
        return new Failure(
          `The space does not accept ${first?.field ?? 'this'}: ${first?.message ?? problem.detail}. Nothing was changed.`,
        )
      default:
        return new Failure(`${problem.detail ?? problem.title ?? code} Nothing was changed.`)
    }
  }
}
