import type { ServerResponse } from 'node:http'
import { networkOf } from '../routers/access/network.ts'

/** Limits on the requests of one network (one IPv4 address, or one IPv6 /64). */
const TURNS = {
  /** Number of requests that are handled at the same time. */
  running: 32,
  /**
   * Maximum length of a turn, in ms. A request that takes longer, such as the upload of a large file, continues, but no
   * longer keeps other requests from starting.
   */
  length: 5_000,
}

/** The requests of one network. */
interface Network {
  /** The responses of the requests that have a turn, with the time when it ends, the oldest first. */
  running: Map<ServerResponse, number>
  /** For each waiting request, the function that starts it. */
  waiting: Map<ServerResponse, () => void>
  timer?: NodeJS.Timeout | undefined
}

/**
 * Lets the requests of each network take turns, so that a client with many connections, or one that leaves before it is
 * answered, cannot start more work than others can wait for. A request has its turn until it is answered, even if its
 * client has left. A waiting request whose client has left never starts.
 */
export class RequestTurns {
  readonly #limits: typeof TURNS
  readonly #networks = new Map<string, Network>()

  constructor(limits = TURNS) {
    this.#limits = limits
  }

  /**
   * Calls `start` when it is the turn of the network, which is usually at once.
   *
   * @param address the client's address
   */
  take(address: string, res: ServerResponse, start: () => void): void {
    const id = networkOf(address).narrow
    const network: Network = this.#networks.get(id) ?? { running: new Map(), waiting: new Map() }
    this.#networks.set(id, network)
    if (network.running.size < this.#limits.running) {
      this.#start(id, network, res)
      start()
      return
    }
    network.waiting.set(res, start)
    res.once('close', () => void (network.waiting.delete(res) && this.#startNext(id, network)))
    network.timer ??= setInterval(() => this.#endLongTurns(id, network), this.#limits.length / 4).unref()
  }

  #start(id: string, network: Network, res: ServerResponse) {
    network.running.set(res, performance.now() + this.#limits.length)
    const end = () => void (network.running.delete(res) && this.#startNext(id, network))
    res.once('close', () => {
      if (res.writableEnded) return end()
      // The client has left, but the work goes on, usually until the response would be sent.
      setTimeout(end, this.#limits.length).unref()
      const endResponse = res.end.bind(res) as (...args: unknown[]) => ServerResponse
      res.end = (...args: unknown[]) => {
        end()
        return endResponse(...args)
      }
    })
  }

  #endLongTurns(id: string, network: Network) {
    const now = performance.now()
    for (const [res, until] of network.running) {
      if (until > now) break
      network.running.delete(res)
    }
    this.#startNext(id, network)
  }

  #startNext(id: string, network: Network) {
    for (const [res, start] of network.waiting) {
      if (network.running.size >= this.#limits.running) return
      network.waiting.delete(res)
      this.#start(id, network, res)
      start()
    }
    clearInterval(network.timer)
    network.timer = undefined
    if (network.running.size === 0) this.#networks.delete(id)
  }
}
