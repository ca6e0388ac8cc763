import { newId } from '../../db/id.ts'
import { deleteSession, insertSession } from '../../db/queries/sessions.ts'
import type { SessionActor } from '../../routers/api/actor.ts'
import { newToken } from '../../routers/api/browser-session.ts'
import type { Core } from '../../routers/api/context.ts'
import { hashSecret } from '../../routers/api/secret.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { appRouter } from '../../routers/index.ts'

const MINUTE = 60_000

const createCaller = createCallerFactory(appRouter)

/**
 * Calls procedures as an account, in a session that nobody else can use and that ends with the work.
 *
 * @param work receives the procedures
 */
export const actAs = async <T>(
  core: Core,
  { id, handle }: { id: string; handle: string },
  work: (call: ReturnType<typeof createCaller>) => Promise<T>,
): Promise<T> => {
  const sql = core.database
  const now = new Date()
  const tokenHash = hashSecret(newToken())
  await insertSession(sql, {
    token_hash: tokenHash,
    id: newId(),
    account_id: id,
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    expires_at: new Date(now.getTime() + 10 * MINUTE),
  })
  const actor: SessionActor = {
    kind: 'session',
    accountId: id,
    handle,
    tokenHash,
    hasPassword: false,
    suspendedAt: null,
  }
  try {
    return await work(createCaller(() => ({ core, actor })))
  } finally {
    await deleteSession(sql, tokenHash)
  }
}
