import type { Database } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/errors.ts'
import { MissingRowError, withMembershipLocked } from '../../../db/locks.ts'
import { insertAuditEvents } from '../../../db/queries/audit.ts'
import {
  type DomainRow,
  dropDomain,
  findDomain,
  findNamesTaken,
  moveToMainDomain,
  notifySwitchedOff,
  saveCheck,
  takeDueChecks,
} from '../../../db/queries/domains.ts'
import { inTransaction, type Transaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { limits } from '../../api/rules.ts'
import { PROOF_PREFIX, proofName, proofText, siteHost } from './records.ts'

/** Number of domains that are checked at once. */
const BATCH = 50

/** Time in ms for which no other process checks a domain that this process has taken. Longer than any check. */
const LEASE = 2 * 60_000

const DAY = 24 * 60 * 60_000

/** How long a domain can be without proof, or lead elsewhere, in ms. */
const PATIENCE = limits.domainDays * DAY

/** Pause in ms after the first check. It doubles with each check, up to the longest one. */
const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 60 * 60_000

/** Maximum number of addresses that are kept from a check. */
const MAX_SEEN = 8

type CheckingCore = Pick<Core, 'addresses' | 'domainLookups' | 'verifiedDomains'> & { database: Database }

/** A domain whose check is due. */
type DueDomain = Awaited<ReturnType<typeof takeDueChecks>>[number]

type SeenDomain = NonNullable<DomainRow['seen']>

/**
 * Checks the domains whose check is due. Each is checked by one process, however many processes call this.
 *
 * @param now the current time; a parameter so that tests can move it
 * @throws what a check has thrown, after all others have ended
 */
export const checkDueDomains = async (core: CheckingCore, now = new Date()): Promise<void> => {
  const until = new Date(now.getTime() + LEASE)
  for (let count = BATCH; count === BATCH; ) {
    const due = await inTransaction(core.database, sql => takeDueChecks(sql, now, until, BATCH))
    count = due.length
    if (count === 0) return
    const results = await Promise.allSettled(due.map(domain => checkDomain(core, domain, now)))
    await core.verifiedDomains.refresh()
    const failed = results.find(result => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}

const checkDomain = async (core: CheckingCore, domain: DueDomain, now: Date): Promise<void> => {
  const { database, addresses } = core
  const row = await findDomain(database, domain.space_id, domain.name)
  const look = row && (await lookAt(core, domain, row))
  // If DNS gives no answer about this instance, the fault is not the domain's. The lease delays the next check.
  if (!look) return
  await withMembershipLocked(database, domain.space_id, async sql => {
    const current = await findDomain(sql, domain.space_id, domain.name)
    if (!current) return
    await saveState(sql, current, look, now, addresses.scheme === 'https')
  }).catch((error: unknown) => {
    // The space was deleted, or another space has just verified the name; the next check says so.
    if (error instanceof MissingRowError || violatedConstraint(error) === 'domains_verified_unique') return
    throw error
  })
}

/** What a check saw. */
interface Look {
  seen: SeenDomain
  /** Whether the name leads to this instance. */
  isHere: boolean
  /** Whether the name has a valid certificate; undefined if the check did not look for it. */
  hasCertificate: boolean | undefined
}

/** Looks at a domain from outside. Returns null if DNS gives no answer about this instance either. */
const lookAt = async (
  { addresses, domainLookups: dns }: CheckingCore,
  { subdomain }: DueDomain,
  { space_id, name, base, verified_at, is_here }: DomainRow,
): Promise<Look | null> => {
  const host = siteHost(addresses)
  const [texts, own, found, alias] = await Promise.all([
    dns.texts(proofName(base)),
    dns.addresses(`${subdomain}.${host}`),
    dns.addresses(name),
    dns.alias(name),
  ])
  if (own === null) return null
  const isAlias = alias !== null && (alias === host || alias.endsWith(`.${host}`))
  // Each address must be one of this instance: a hostile resolver could add ours to those of another server.
  const hasOurAddresses = found !== null && found.length > 0 && found.every(address => own.includes(address))
  const proof = proofText(space_id)
  // Before these conditions are met, the proxy gets no certificate either. The connection goes to an address of this
  // instance that was compared above, so that no resolver can direct it elsewhere.
  const mayHaveCertificate =
    addresses.scheme === 'https' && verified_at !== null && is_here && hasOurAddresses
  const certificateError = mayHaveCertificate ? await dns.certificateError(name, found[0]!) : null
  return {
    seen: {
      isProved: texts?.includes(proof) ?? false,
      otherTexts: texts?.filter(text => text.startsWith(PROOF_PREFIX) && text !== proof).length ?? 0,
      addresses: found?.slice(0, MAX_SEEN) ?? [],
      alias,
      own: own.slice(0, MAX_SEEN),
      certificateError,
    },
    isHere: isAlias || hasOurAddresses,
    hasCertificate: mayHaveCertificate ? certificateError === null : undefined,
  }
}

/** Saves what a check saw, and what follows from it. The space is locked. */
const saveState = async (
  sql: Transaction,
  row: DomainRow,
  { seen, isHere, hasCertificate }: Look,
  now: Date,
  needsCertificate: boolean,
): Promise<void> => {
  const { space_id: spaceId, name } = row
  const record = (kind: 'domain_verified' | 'domain_switched_off' | 'domain_removed', details = {}) =>
    insertAuditEvents(sql, [
      { owner: { spaceId }, kind, actor: null, actorLabel: null, details: { label: name, ...details } },
    ])
  const isSince = (since: Date | null) => since !== null && now.getTime() - since.getTime() >= PATIENCE
  const mayVerify =
    row.verified_at === null &&
    seen.isProved &&
    isHere &&
    (await findNamesTaken(sql, spaceId, [name])).length === 0
  const isVerified = row.verified_at !== null || mayVerify
  const isWell = isVerified && seen.isProved && isHere
  const isSecured = isVerified && (row.secured_at !== null || hasCertificate === true)
  const isDone = isWell && (isSecured || !needsCertificate)
  // The next step follows soon.
  const checks = isDone || mayVerify || (isHere && !row.is_here) ? 0 : row.checks + 1
  const pause = isDone ? DAY : Math.min(FIRST_PAUSE * 2 ** Math.min(checks, 20), LONGEST_PAUSE)
  const next = {
    space_id: spaceId,
    name,
    seen,
    is_here: isHere,
    checked_at: now,
    next_check_at: new Date(now.getTime() + pause),
    checks,
  }
  if (!isVerified && isSince(row.created_at)) {
    await dropDomain(sql, spaceId, name)
    await record('domain_removed', { reason: 'unproved' })
  } else if (isVerified && !isWell && isSince(row.failing_since)) {
    // The name stays for another week, without effect, so that its participants see what was wrong.
    await saveCheck(sql, {
      ...next,
      created_at: now,
      verified_at: null,
      secured_at: null,
      failing_since: null,
    })
    await record('domain_switched_off')
    await notifySwitchedOff(sql, spaceId, name, now)
  } else {
    await saveCheck(sql, {
      ...next,
      created_at: row.created_at,
      verified_at: isVerified ? (row.verified_at ?? now) : null,
      secured_at: isSecured ? (row.secured_at ?? now) : null,
      failing_since: isVerified && !isWell ? (row.failing_since ?? now) : null,
    })
    if (mayVerify) await record('domain_verified')
  }
  await moveToMainDomain(sql, spaceId, needsCertificate)
}
