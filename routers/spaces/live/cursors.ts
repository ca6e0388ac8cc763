const CURSOR = /^([a-z0-9-]+)=(\d{1,18})$/

/**
 * Reads the id of an event: the revision up to which a browser knows each space that it follows. Leaves out what is
 * malformed, because a stream that starts over is better than one that never starts.
 */
export const cursorsFrom = (eventId: string | undefined): Map<string, string> =>
  new Map(
    (eventId ?? '').split(' ').flatMap(cursor => {
      const [, subdomain, revision] = CURSOR.exec(cursor) ?? []
      return subdomain && revision ? [[subdomain, revision]] : []
    }),
  )

/** Writes the id of an event; see {@link cursorsFrom}. */
export const eventIdOf = (cursors: ReadonlyMap<string, string>): string =>
  Array.from(cursors, ([subdomain, revision]) => `${subdomain}=${revision}`).join(' ')
