import { newId } from './id.ts'
import { isContentServerAway } from './unavailable.ts'

/** Maximum number of ids to try, and the time in ms after which no other id is tried. */
const MAX_ATTEMPTS = 8
const MAX_DURATION = 5_000

/**
 * Creates a space under a new id. If content is distributed, the id decides which server the space is on. While that
 * server is down, other ids are tried, so that the space is created on another server.
 *
 * @param create creates the space; if it fails, it must leave nothing behind
 * @throws the error of the last attempt
 */
export const withNewSpaceId = async <T>(create: (id: string) => Promise<T>): Promise<T> => {
  const deadline = performance.now() + MAX_DURATION
  for (let attempt = 1; ; attempt++)
    try {
      return await create(newId())
    } catch (error) {
      if (!isContentServerAway(error) || attempt === MAX_ATTEMPTS || performance.now() > deadline) throw error
    }
}
