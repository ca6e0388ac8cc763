import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount, PASSWORD, type TestAccount } from './account.ts'
import { scale } from './attack.ts'
import { type Call, call } from './http.ts'
import { measureQuietTime } from './quiet-time.ts'
import type { ServiceProcess } from './service.ts'
import { slowness } from './slowness.ts'

/** Time in ms after which a call counts as hung; long enough for any machine. */
const LONGEST_CALL = 60_000

/** A client that uses the service normally during an attack. */
export class Bystander {
  readonly #service: ServiceProcess
  readonly #account: TestAccount
  #signIns = 0

  constructor(service: ServiceProcess, account: TestAccount) {
    this.#service = service
    this.#account = account
  }

  /**
   * Calls several endpoints in loops until the work is done. The report has the durations and failures of
   * the calls.
   */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; report: Report }> {
    const report = new Report()
    const done = new AbortController()
    const loop = async (name: string, pause: number, next: () => Call) => {
      while (!done.signal.aborted) {
        const since = performance.now()
        const { status, error } = await call(this.#service.port, { timeout: LONGEST_CALL, ...next() })
        report.add(name, performance.now() - since, error ?? status)
        await sleep(pause)
      }
    }
    const watchMemory = async () => {
      while (!done.signal.aborted) {
        report.peak = Math.max(report.peak, await this.#service.memory())
        await sleep(250)
      }
    }
    const { subdomain, key } = this.#account
    await this.#service.longestTurn()
    const loops = [
      loop('healthz', 25, () => ({ path: '/healthz' })),
      loop('read', 25, () => ({ path: `/v1/spaces/${subdomain}/data/kept`, headers: key })),
      loop('page', 25, () => ({
        path: '/hello',
        headers: { host: `${subdomain}.sites.localhost:${this.#service.port}` },
      })),
      loop('sign-in', 1_000, () => this.signIn()),
      watchMemory(),
    ]
    try {
      return { result: await work(), report }
    } finally {
      done.abort()
      await Promise.all(loops)
      report.longestTurn = await this.#service.longestTurn()
    }
  }

  /** Returns a sign-in call. The addresses and accounts vary, so that the calls are not rate limited. */
  signIn(): Call {
    const from = `127.1.0.${(this.#signIns++ % 250) + 1}`
    const handle = `${this.#account.handle}${Math.floor(this.#signIns / 8) % 10}`
    return { path: '/trpc/sessions.create', body: JSON.stringify({ handle, password: PASSWORD }), from }
  }
}

/**
 * Maximum memory of the service during an attack, in MiB. Up to 710 MiB were measured at scale 1. The bodies that an
 * attack sends at the same time have a total size of at least 1,700 MiB.
 */
const MAX_MEMORY = scale > 1 ? 2_500 : 1_000

/**
 * Maximum CPU time of a turn of the service's event loop, in ms; higher on a machine with slower cores. Up to 230 ms
 * were measured. Without the limits on batches, nesting and lists, it was 600 to 7,000 ms.
 */
const MAX_TURN = 1_000 * slowness()

/** Durations and failures of a bystander's calls. */
export class Report {
  readonly #times = new Map<string, number[]>()
  readonly failures: string[] = []
  /** Largest memory use of the service, in MiB. */
  peak = 0
  /** CPU time of the longest turn of the service's event loop, in ms. */
  longestTurn = 0

  add(name: string, time: number, outcome: number | string) {
    this.#times.set(name, [...(this.#times.get(name) ?? []), time])
    if (outcome !== 200) this.failures.push(`${name}: ${outcome} after ${Math.round(time)} ms`)
  }

  /**
   * Prints the durations without a check, because they depend on the machine. Checks that every call succeeded. Also
   * checks that the memory of the service and the longest turn of its event loop stayed within their limits.
   */
  check(title: string, maxMemory = MAX_MEMORY) {
    const figures = [...this.#times].map(([name, times]) => {
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]!)
      return `${name} ${at(0.5)}/${at(0.99)}/${at(1)}`
    })
    process.stdout.write(
      `${title}: ms at p50/p99/max: ${figures.join(', ')}; at most ${this.peak} MiB, turn ${this.longestTurn} ms\n`,
    )
    assert.deepEqual(this.failures, [])
    assert.ok(this.longestTurn < MAX_TURN, `a turn took ${this.longestTurn} ms`)
    assert.ok(this.peak < maxMemory, `the service used ${this.peak} MiB`)
  }
}

/** Maximum memory of the service half a minute after an attack, in MiB. A new service uses 330 to 390 MiB. */
export const MEMORY_AFTER = 550

/** Creates a bystander with a page and a record. */
export const addBystander = async (service: ServiceProcess): Promise<Bystander> => {
  const account = await createAccount(service.port, 'bystander')
  const space = `/v1/spaces/${account.subdomain}`
  const write = async (method: string, path: string, body: unknown) => {
    const { status, text } = await call(service.port, {
      method,
      path: space + path,
      headers: account.key,
      body: JSON.stringify(body),
    })
    if (status >= 300) throw new Error(text)
  }
  await write('POST', '/pages', { slug: 'hello', kind: 'static', html: '<p>{{ data.kept }}</p>' })
  await write('PUT', '/data/kept', { value: 1 })
  for (let n = 0; n < 10; n++) {
    const body = JSON.stringify({ handle: `${account.handle}${n}`, password: PASSWORD })
    const { status, text } = await call(service.port, { path: '/trpc/accounts.signUp', body })
    if (status !== 200) throw new Error(text)
  }
  return new Bystander(service, account)
}

/** Maximum time in ms after an attack until the service has returned its memory. */
const MAX_RECOVERY = 30_000

/** Resolves once the service uses less than `limit` MiB of memory. Fails if that takes too long. */
export const expectMemoryBelow = async (service: ServiceProcess, limit: number) => {
  const quietTime = measureQuietTime()
  let memory = await service.memory()
  while (memory >= limit && quietTime() < MAX_RECOVERY) {
    await sleep(500)
    memory = await service.memory()
  }
  assert.ok(memory < limit, `the service still uses ${memory} MiB`)
}
