import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../routers/api/rate-limit.ts'

/** Limits on the requests of one network (one IPv4 address, or one IPv6 /64). */
const TURNS = {
  /**
   * Number of requests that are handled at the same time; a browser sends six, a program on a server perhaps more. With
   * more requests of one network, each turn of the event loop, which accepts only one connection, would take longer.
   */
  running: 16,
  /**
   * Maximum length of a turn, in ms. A request that takes longer, such as the upload of a large file, continues, but no
   * longer keeps other requests from starting.
   */
  length: 500,
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
 * client has left. A request whose client leaves before its turn never starts.
 */
export class RequestTurns {
  readonly #limits: typeof TURNS
  readonly #networks = new Map<string, Network>()
  /** The connections that have sent a request. */
  readonly #known = new WeakSet<Socket>()

  constructor(limits = TURNS) {
    this.#limits = limits
  }

  /**
   * Calls `start` when it is the turn of the network, which is usually at once.
   *
   * The first request of a connection waits until connections have been read once more, because clients that leave
   * before they are answered usually leave right after their first request.
   *
   * @param address the client's address
   */
  take(address: string, res: ServerResponse, start: () => void): void {
    const { socket } = res.req
    if (this.#known.has(socket)) {
      this.#enter(address, res, start)
      return
    }
    this.#known.add(socket)
    const enter = () => {
      if (!hasLeft(socket)) this.#enter(address, res, start)
    }
    // An immediate runs before the next read, and one that is created by an immediate runs after it.
    setImmediate(() => setImmediate(enter))
  }

  #enter(address: string, res: ServerResponse, start: () => void) {
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

/** Whether a client has closed its connection. The event of this may come only later. */
const hasLeft = ({ destroyed, writableEnded }: Socket): boolean => destroyed || writableEnded
