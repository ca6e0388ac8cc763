import { api, queryClient, rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { offerUndo } from '../ui/offer-undo.tsx'
import { type RecordPath, recordText } from './record-text.ts'

/** What was edited has changed since the preview was evaluated. */
export class ChangedMeanwhile extends Error {}

/** Returns a copy of a value with another one at a path. */
export const withValueAt = (
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  inner: unknown,
): unknown => {
  if (key === undefined) return inner
  const copy = structuredClone(value) as object
  // Unlike an assignment, this also works for a key called `__proto__`.
  Object.defineProperty(copy, key, {
    value: withValueAt(valueAt(value, [key]), rest, inner),
    writable: true,
    enumerable: true,
    configurable: true,
  })
  return copy
}

/**
 * Changes what is at a place in a record, on top of the version that is read just before.
 *
 * @param change returns the new value; throws ChangedMeanwhile if the value is not the one that was shown
 */
const change = async (
  subdomain: string,
  [key, ...path]: RecordPath,
  change: (value: unknown) => unknown,
): Promise<{ before: unknown; version: number }> => {
  const record = await rpc.data.get.query({ subdomain, key })
  const { version, description } = record
  const value = withValueAt(record.value, path, change(valueAt(record.value, path)))
  const saved = await rpc.data.put.mutate({ subdomain, key, value, description, version })
  queryClient.setQueryData(api.data.get.queryKey({ subdomain, key }), saved)
  void queryClient.invalidateQueries(api.records.pathFilter())
  return { before: record.value, version: saved.version }
}

const replaceText = (subdomain: string, record: RecordPath, from: string, to: string) =>
  change(subdomain, record, value => {
    if (value !== from) throw new ChangedMeanwhile()
    return to
  })

interface Saved {
  subdomain: string
  record: RecordPath
  undo: () => Promise<unknown>
  onSaved: () => void
}

const offer = ({ subdomain, record, undo, onSaved }: Saved) => {
  onSaved()
  offerUndo({
    title: recordText(record),
    verb: 'saved',
    undo: async () => {
      await undo()
      onSaved()
      return true
    },
    link: () => (
      <TextLink
        size="sm"
        to="/spaces/$subdomain/history"
        params={{ subdomain }}
        search={{ kind: 'record', thing: record[0] }}
      >
        History
      </TextLink>
    ),
  })
}

/** Saves a string of a record, and offers to undo that. */
export const saveText = async (
  subdomain: string,
  record: RecordPath,
  from: string,
  to: string,
  onSaved: () => void,
): Promise<void> => {
  await replaceText(subdomain, record, from, to)
  offer({ subdomain, record, undo: () => replaceText(subdomain, record, to, from), onSaved })
}

/** Saves a changed list of a record, and offers to undo that as long as nobody has changed the record since. */
export const saveList = async (
  subdomain: string,
  record: RecordPath,
  edit: (list: readonly unknown[]) => unknown[] | undefined,
  onSaved: () => void,
): Promise<void> => {
  const { before, version } = await change(subdomain, record, list => {
    const edited = Array.isArray(list) ? edit(list) : undefined
    if (!edited) throw new ChangedMeanwhile()
    return edited
  })
  const [key] = record
  const undo = async () => {
    const { description } = await rpc.data.get.query({ subdomain, key })
    await rpc.data.put.mutate({ subdomain, key, value: before, description, version })
  }
  offer({ subdomain, record, undo, onSaved })
}
