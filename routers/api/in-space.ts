import type { Sql } from '../../db/database.ts'
import { withMembershipLocked, withSpaceLocked } from '../../db/locks.ts'
import type { Role } from '../../db/queries/participants.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import { MASS_WRITE } from '../../db/refresh-statistics.ts'
import type { Author, Operation, SpaceWrite } from '../../db/space-write.ts'
import type { CallerCheck, Transaction } from '../../db/transaction.ts'
import type { SessionActor, SpaceKeyActor, SpaceRef } from './actor.ts'
import { authorOf } from './audit.ts'
import { type CallersWrites, callersWrites, checkInSpace } from './caller-check.ts'
import type { Context } from './context.ts'
import { countCall, requireScope, throwUnauthorized } from './credential.ts'
import { subdomainFrom } from './fields.ts'
import { Problem, problemOf } from './problem.ts'
import { noteRefusal } from './refusals.ts'
import { SPACE_SCOPES, type SpaceScope } from './scopes.ts'
import { base, guarded, type Meta } from './trpc.ts'

/** The space of a call, and its caller. */
interface Access {
  space: SpaceRef
  scopes: readonly SpaceScope[]
  /** The account that the session belongs to, or that issued the key. */
  accountId: string
  caller: SpaceKeyActor | SessionActor
  /** The account's participation; undefined for a key. */
  participantId?: string
  /** The account's role; undefined for a key. */
  role?: Role
}

/** A call of a procedure on a space. */
export interface SpaceCall extends Context, Access {
  sql: Sql
  /** Runs a write to the space's content or settings; see {@link writeSpace}. */
  write: <T>(work: (write: SpaceWrite) => Promise<T>, operation?: Operation) => Promise<T>
  /** Runs a transaction that does not lock the space. `work` may run more than once. */
  transaction: CallersWrites['transaction']
  /** Checks the caller once more, in a long transaction. */
  check: CallersWrites['check']
  /** Checks once more that the caller is no editor, before a write to settings of the space. */
  checkOwner: CallerCheck
}

/**
 * What functions that change the content of a space need of a call. Without the properties of {@link Context}, the write
 * is not that of a call, but one that was scheduled.
 */
export interface ContentWriter
  extends Pick<SpaceCall, 'core' | 'accountId' | 'sql' | 'write'>,
    Pick<Context, 'precondition' | 'keyed' | 'onTemplateError'> {
  space: Pick<SpaceRef, 'id' | 'subdomain'>
}

/** A call of a procedure that only participants of the space can call. */
export interface ParticipantCall extends SpaceCall, CallersWrites {
  caller: SessionActor
  participantId: string
  role: Role
  /** Runs a write to the space's participants, keys or invitations; see {@link withMembershipLocked}. */
  writeMembership: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
}

/** What a function needs that works for the account of a call in its space. */
export type SpaceUser = Pick<SpaceCall, 'core' | 'accountId' | 'space'>

/**
 * The base of every operation on a space. Checks run in the order of the contract: 401, 429, 403 `space_mismatch`,
 * 403 `insufficient_scope`; the input is read after that. A participant's session has every scope.
 *
 * @param scopes a key needs one of these; by default any key is accepted. With `sessionOnly` or `ownersOnly`, keys are
 * refused with `sign_in_required`. With `ownersOnly`, editors are refused with `owners_only`.
 */
export function inSpace(...scopes: SpaceScope[]): SpaceBase<SpaceCall>
export function inSpace(access: { sessionOnly: true } | { ownersOnly: true }): SpaceBase<ParticipantCall>
export function inSpace(...access: SpaceScope[] | [{ sessionOnly: true } | { ownersOnly: true }]) {
  const [first] = access
  if (typeof first === 'object') return spaceBase('ownersOnly' in first ? first : {}, true)
  return spaceBase({ api: 'space', scopes: access as SpaceScope[] }, false)
}

type SpaceBase<Call extends SpaceCall> = ReturnType<typeof spaceBase<Call>>

const spaceBase = <Call extends SpaceCall>(declared: Meta, isSessionOnly: boolean) => {
  const refusal = isSessionOnly ? 'sign_in_required' : 'unauthorized'
  const authorize = async (ctx: Context, getRawInput: () => Promise<unknown>): Promise<Access> => {
    const { actor } = ctx
    if (actor?.kind === 'session') return authorizeParticipant(ctx, actor, getRawInput)
    if (actor?.kind === 'space_key' && !isSessionOnly)
      return authorizeKey(ctx, actor, declared.scopes as SpaceScope[], getRawInput)
    throw new Problem(refusal)
  }
  return base.meta(declared).use(call =>
    guarded(call, async () => {
      const { ctx, meta, getRawInput, next } = call
      const access = await authorize(ctx, getRawInput)
      const { caller, space, accountId, role } = access
      if (meta?.ownersOnly && role === 'editor') {
        noteRefusal(ctx, 'owners_only', { spaceId: space.id })
        throw new Problem('owners_only')
      }
      const writes = callersWrites(
        ctx.core.database,
        accountId,
        checkInSpace(caller, space.id, refusal, meta),
        ctx.keyed,
      )
      const added = {
        ...access,
        ...writes,
        sql: ctx.core.database,
        checkOwner: checkInSpace(caller, space.id, refusal, { ownersOnly: true }),
        write: <T>(work: (write: SpaceWrite) => Promise<T>, operation?: Operation): Promise<T> => {
          const written = writeSpace(ctx, space.id, authorOf(caller, ctx), writes.check, work, operation)
          return isSessionOnly ? written : written.catch(throwUnauthorized)
        },
        writeMembership: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
          withMembershipLocked(ctx.core.database, space.id, work, writes.check),
      }
      const result = await next({ ctx: added as unknown as Omit<Call, keyof Context> })
      // `guarded` counts a refused call of a key for the space of the key. But `guarded` does not know the space of a
      // session's call, and counts that call only for the account. So count the session's call for the space here.
      if (!result.ok && caller.kind === 'session')
        noteRefusal(ctx, problemOf(result.error).problem, { spaceId: space.id })
      return result
    }),
  )
}

const authorizeKey = async (
  ctx: Context,
  key: SpaceKeyActor,
  scopes: SpaceScope[],
  getRawInput: () => Promise<unknown>,
): Promise<Access> => {
  await countCall(ctx, key.keyId)
  if ((await subdomainOf(ctx, getRawInput)) !== key.space.subdomain)
    throw new Problem('space_mismatch', { detail: `This key is for the space \`${key.space.subdomain}\`.` })
  requireScope(key.scopes, scopes)
  return { space: key.space, scopes: key.scopes, accountId: key.accountId, caller: key }
}

const authorizeParticipant = async (
  ctx: Context,
  session: SessionActor,
  getRawInput: () => Promise<unknown>,
): Promise<Access> => {
  const { accountId } = session
  const subdomain = await subdomainOf(ctx, getRawInput)
  const participation = await requireParticipant(ctx.core.database, accountId, subdomain)
  return { ...participation, scopes: SPACE_SCOPES, accountId, caller: session }
}

/**
 * Returns the space with this subdomain, if the account is one of its participants.
 *
 * @param subdomain null when the request names none
 * @throws `space_not_found`
 */
export const requireParticipant = async (
  sql: Sql,
  accountId: string,
  subdomain: string | null,
): Promise<{ space: SpaceRef; participantId: string; role: Role }> => {
  const row = subdomain === null ? undefined : await findParticipantSpace(sql, accountId, subdomain)
  if (!row) throw new Problem('space_not_found')
  return {
    space: { id: row.space_id, subdomain: row.subdomain, name: row.name, iconId: row.icon_id },
    participantId: row.participant_id,
    role: row.role,
  }
}

/** Returns the subdomain from the path if it has one, else from the input. */
const subdomainOf = async (ctx: Context, getRawInput: () => Promise<unknown>): Promise<string | null> =>
  ctx.path?.subdomain ?? subdomainFrom(await getRawInput())

/**
 * Runs a write to a space's content in a transaction that has locked the space and raised its revision, then calls
 * `onWrite`, and `onMassWrite` if the write was large. `work` must use the `SpaceWrite` passed to it, because no other
 * connection belongs to the transaction. `work` may run more than once.
 *
 * @param check checks once more that the author may write
 * @throws MissingRowError when the space was deleted
 */
export const writeSpace = async <T>(
  {
    core: { database, onWrite, onMassWrite },
    onWritten,
    keyed,
  }: Pick<Context, 'core' | 'onWritten' | 'keyed'>,
  spaceId: string,
  author: Author,
  check: CallerCheck,
  work: (write: SpaceWrite) => Promise<T>,
  operation?: Operation,
): Promise<T> => {
  let latest: SpaceWrite | undefined
  const noted = (write: SpaceWrite) => {
    latest = write
    return work(write)
  }
  const run = () =>
    withSpaceLocked(database, spaceId, author, check, noted, { operation, claim: keyed?.claim })
  const result = await (keyed ? keyed.inTurn(run) : run())
  const revision = (await latest!.revision)!
  onWrite(spaceId, revision)
  onWritten?.(revision)
  if (latest!.changedItems >= MASS_WRITE) await onMassWrite()
  return result
}
