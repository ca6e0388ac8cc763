import type { Sql } from '../../db/orm.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import type { SpaceRef } from '../core/actor.ts'
import { Problem } from '../core/problem.ts'

/** An account's membership of a space. */
interface Participation {
  space: SpaceRef
  participantId: string
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
): Promise<Participation> => {
  const row = subdomain === null ? undefined : await findParticipantSpace(sql, accountId, subdomain)
  if (!row) throw new Problem('space_not_found')
  return {
    space: { id: row.space_id, subdomain: row.subdomain, name: row.name, iconId: row.icon_id },
    participantId: row.participant_id,
  }
}
