import { z } from 'zod'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { limits } from '../../api/rules.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { followSpaces } from './follow.ts'
import { PresentPerson } from './schema.ts'

/** Maximum length of the id of an event, which names every followed space with its revision. */
const MAX_EVENT_ID = 1_000

/** What happens in spaces while a browser shows them. */
export const live = router({
  /**
   * Follows the changes of spaces, and who has them open. Spaces of which the account is not a participant are reported
   * as gone, if there are others. Each event has an id; a stream that begins with the id of the last event misses nothing.
   */
  follow: signedIn
    .input(
      z.strictObject({
        subdomains: z.array(subdomain).min(1).max(limits.followedSpaces),
        lastEventId: z.string().max(MAX_EVENT_ID).optional(),
      }),
    )
    .subscription(({ ctx, input, signal }) =>
      followSpaces(ctx.core, {
        session: ctx.session,
        address: ctx.client,
        subdomains: [...new Set(input.subdomains)],
        lastEventId: input.lastEventId,
        signal,
      }),
    ),

  /** The people who have the space open in the dashboard. */
  people: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(PresentPerson))
    .query(async ({ ctx: { core, space } }) => {
      const people = await core.presence.people(space.id)
      return people.map(({ handle, name, icon_id }) => ({
        handle,
        name,
        icon_url: icon_id === null ? null : core.addresses.icon(icon_id),
      }))
    }),
})
