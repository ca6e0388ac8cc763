import { z } from 'zod'
import type { listSpaceKeys } from '../../../db/queries/credentials.ts'
import { timestamp } from '../../api/fields.ts'
import { clientFields, clientFieldsOf } from '../connected-client.ts'
import { credentialFields, timestampsOf } from '../schema.ts'

/** The agent that used a key at a tool server. */
const AgentOfKey = z.object({
  /** The name that the agent gave itself. */
  name: z.string().nullable(),
  /** Number of tools that the tool server offered to the agent. */
  tools: z.int(),
  /** Error code of the agent's last request if access failed; otherwise null. */
  problem: z.string().nullable(),
  connected_at: timestamp,
})

const agentFields = {
  /** Null until an agent uses the key. */
  agent: AgentOfKey.nullable(),
  /** When a tool server last refused a secret that begins with the same characters as this key's secret. */
  refused_at: timestamp.nullable(),
}

/** The agent fields of a new key. */
export const NO_AGENT = { agent: null, refused_at: null }

/**
 * A key as participants see it. A connected app can refresh its key at any time, so the expiry of such a key is not
 * shown: `expires_at` is null.
 */
export const Key = z.object({
  ...credentialFields,
  ...clientFields,
  ...agentFields,
  issuer: z.string(),
  /** The author id in the history of the space; a key and its rotations share it. */
  author_id: z.string(),
})

/** A key with its secret, which is returned only once. */
export const NewKey = Key.omit({ author_id: true }).extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listSpaceKeys>>[number]

export const toKey = ({
  redirect_uris,
  agent_connected_at,
  agent_name,
  agent_tools,
  agent_problem,
  refused_at,
  ...row
}: Row): z.output<typeof Key> => ({
  ...row,
  ...timestampsOf(row),
  ...clientFieldsOf(row, redirect_uris),
  agent: agent_connected_at && {
    name: agent_name,
    tools: agent_tools ?? 0,
    problem: agent_problem,
    connected_at: agent_connected_at.toISOString(),
  },
  refused_at: refused_at?.toISOString() ?? null,
})
