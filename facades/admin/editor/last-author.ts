import { useQuery } from '@tanstack/react-query'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api } from '../api.ts'
import type { Change } from '../history/describe.ts'
import { isMine } from '../live/changes.ts'
import { shortName } from '../live/summary.ts'

/** Who made a change, and where if that helps to understand it. Goes into a sentence: "{who} saved it{where}". */
export interface LastAuthor {
  who: string
  where: string
}

/** The author of a change that is not known yet. */
export const SOMEONE: LastAuthor = { who: 'someone else', where: '' }

/** Returns who made a change, for the signed-in person. */
export const lastAuthorOf = (change: Change): LastAuthor =>
  isMine(change)
    ? { who: 'you', where: ' in another window' }
    : { who: shownText(shortName(change.actor)), where: '' }

/** Says who has changed an item meanwhile, as a heading: "robin changed this page", "You changed it in another window". */
export const useLastAuthorTitle = (
  what: string,
  { subdomain, kind, thing }: { subdomain: string; kind: 'page' | 'part' | 'record'; thing: string },
): string => {
  const { data } = useQuery(api.history.list.queryOptions({ subdomain, kind, thing }, { staleTime: 0 }))
  const [change] = data?.changes ?? []
  if (!change) return `This ${what} has changed meanwhile`
  const { who, where } = lastAuthorOf(change)
  return `${where === '' ? who : 'You'} changed this ${what}${where}`
}
