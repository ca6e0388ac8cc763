import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** Information about an agent that used a key at a tool server. */
export interface Agent {
  /** The name that the agent gave itself; null if it gave none. */
  name: string | null
  /** Number of tools that the tool server offered to the agent. */
  tools: number
  /**
   * Error code if the request was refused because of its scopes, a rate limit or its origin; null if it succeeded or
   * failed for another reason.
   */
  problem: string | null
  /** Whether the agent connects with this request. */
  isConnecting: boolean
}

/** A use of a key or token. */
export interface CredentialUse {
  id: string
  at: Date
  /** Null if no agent used it, only other programs. */
  agent: Agent | null
}

/**
 * For each table, the columns to update when a key or token is used. A token stores only the name of the agent that
 * used the token. A key stores more about the agent. A stored name is kept until an agent sends another name.
 *
 * Each table is updated by one statement. Both statements get the uses of keys and of tokens. Each statement skips the
 * ids that are not in its table.
 */
const CHANGES: Record<string, RawBuilder<unknown>> = {
  space_keys: sql`
    last_used_at = used.at,
    used_by_agent = credential.used_by_agent or used.is_by_agent,
    agent_connected_at = case
      when used.is_connecting or (used.is_by_agent and credential.agent_connected_at is null) then used.at
      else credential.agent_connected_at
    end,
    agent_name = coalesce(used.name, credential.agent_name),
    agent_tools = coalesce(used.tools, credential.agent_tools),
    agent_problem = case when used.is_by_agent then used.problem else credential.agent_problem end`,
  user_tokens: sql`
    last_used_at = used.at,
    agent_name = coalesce(used.name, credential.agent_name)`,
}

/** Stores when keys and tokens were last used, with one statement per table. */
export const recordCredentialUses = async (db: Sql, uses: readonly CredentialUse[]) => {
  const rows = uses.map(
    ({ id, at, agent }) => sql`(${id}::text, ${at}::timestamptz, ${agent !== null}::boolean,
      ${agent?.name ?? null}::text, ${agent?.tools ?? null}::smallint, ${agent?.problem ?? null}::text,
      ${agent?.isConnecting === true}::boolean)`,
  )
  for (const [table, changes] of Object.entries(CHANGES))
    await sql`
      update ${sql.table(table)} as credential set ${changes}
      from (values ${sql.join(rows)}) as used (id, at, is_by_agent, name, tools, problem, is_connecting)
      where credential.id = used.id`.execute(db)
}

/**
 * Sets `refused_at` of the keys that have one of these hints. Skips the keys of connected apps, because connected apps
 * often send expired secrets.
 *
 * @param hints the first characters of secrets that tool servers refused
 */
export const recordRefusals = (db: Sql, hints: readonly string[], at: Date) =>
  db
    .updateTable('space_keys')
    .set({ refused_at: at })
    .where('hint', 'in', hints)
    .where('client_id', 'is', null)
    .execute()
