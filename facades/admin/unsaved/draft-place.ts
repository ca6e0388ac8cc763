import { type Inputs, rpc } from '../api.ts'

/** The item that a draft edits. */
export interface DraftPlace {
  /** Null for a post. */
  subdomain: string | null
  kind: 'page' | 'part' | 'record' | 'post'
  /** The item's id or key; for an item that was never saved, an id from `newDraftId`. */
  thing: string
  isNew: boolean
}

/**
 * The edited fields, and the stored version that the edits began with. `base` is null for an item that was never saved.
 */
export interface DraftContent<F> {
  fields: F
  base: { fields: F; version: string } | null
}

const ALPHABET = '23456789abcdefghijklmnopqrstuvwxyz'

/** Returns an id for the draft of a new item, in the same form as the ids of items. */
export const newDraftId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => ALPHABET[byte % ALPHABET.length]).join('')

const spaceInput = ({ subdomain, kind, thing }: DraftPlace) =>
  ({ subdomain, kind, thing }) as Inputs['unsaved']['get']

/** Reads the service's draft; null if there is none. */
export const readKept = async (place: DraftPlace) =>
  place.subdomain === null
    ? (await rpc.unsavedPosts.get.query({ thing: place.thing })).draft
    : (await rpc.unsaved.get.query(spaceInput(place))).draft

/** Identifies the draft that an editor continues. The service refuses to replace or discard any other draft. */
export interface Continued {
  /** The editor's id, from `newDraftId`. */
  editor: string
  /** When the service stored the draft; null if the service had no draft of the item. */
  continues: string | null
}

/** Sends a draft to the service. @returns the time at which the service kept it */
export const keep = async (
  place: DraftPlace,
  { fields, base }: DraftContent<unknown>,
  continued: Continued,
): Promise<string> => {
  const { thing, isNew: is_new } = place
  const result =
    place.subdomain === null
      ? await rpc.unsavedPosts.keep.mutate({
          thing,
          is_new,
          fields,
          base,
          ...continued,
        } as Inputs['unsavedPosts']['keep'])
      : await rpc.unsaved.keep.mutate({
          ...spaceInput(place),
          is_new,
          fields,
          base,
          ...continued,
        } as Inputs['unsaved']['keep'])
  return result.updated_at
}

/**
 * Deletes the service's draft of the item, if there is one. If `continued` is given, the service does not delete
 * a draft that another window has stored in the meantime.
 *
 * @param savedAs the id that the draft of a new page got when it was saved
 */
export const discardKept = (place: DraftPlace, continued?: Continued, savedAs?: string): Promise<void> =>
  place.subdomain === null
    ? rpc.unsavedPosts.discard.mutate({ thing: place.thing, ...continued })
    : rpc.unsaved.discard.mutate({
        ...spaceInput(place),
        ...continued,
        ...(place.kind === 'page' && savedAs !== undefined && { saved_as: savedAs }),
      })
