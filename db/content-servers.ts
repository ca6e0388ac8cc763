import { type Orm, sqlOf } from './orm.ts'
import { type ContentServer, listContentServers, probeContentServer } from './queries/content-servers.ts'
import { inTransaction } from './transaction.ts'

/** Timeout of a probe in ms. */
const TIMEOUT = 2_000

/** PostgreSQL's code for a statement that took longer than its timeout. */
const CANCELLED = '57014'

/** Probes the content servers. While one is down, the service still works for the spaces on the others. */
export class ContentServers {
  readonly #orm: Orm
  readonly #onChange: (server: ContentServer, isUp: boolean) => void
  #missing: readonly number[] = []

  /** @param onChange called when a server stops responding, and when it responds again */
  constructor(orm: Orm, onChange: (server: ContentServer, isUp: boolean) => void) {
    this.#orm = orm
    this.#onChange = onChange
  }

  /** The numbers of the servers that did not respond to the last probe. */
  get missing(): readonly number[] {
    return this.#missing
  }

  /** Probes all servers at the same time. @throws the error of the coordinator */
  async probe(): Promise<void> {
    const servers = await listContentServers(sqlOf(this.#orm))
    const probed = await Promise.all(
      servers.map(async server => ({ server, isUp: await this.#responds(server) })),
    )
    const before = this.#missing
    this.#missing = probed.filter(({ isUp }) => !isUp).map(({ server }) => server.id)
    for (const { server, isUp } of probed)
      if (isUp === before.includes(server.id)) this.#onChange(server, isUp)
  }

  async #responds(server: ContentServer): Promise<boolean> {
    try {
      return await inTransaction(this.#orm, sql => probeContentServer(sql, server, TIMEOUT))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === CANCELLED) return false
      throw error
    }
  }
}
