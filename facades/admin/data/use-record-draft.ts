import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, client, type Outputs, queries } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useSpace } from '../use-space.ts'
import { formatJson } from './format-json.ts'
import { readJsonText } from './use-json-text.ts'

export type DataRecord = Outputs['data']['get']

/** The text that a new record begins with. */
const BEGINNING = '{\n  \n}'

/** What is sent to be saved. */
interface Sent {
  key: string
  text: string
  description: string
}

/** A value as it is shown to be edited. */
export const textOf = (value: unknown): string => JSON.stringify(value, null, 2)

/** Whether two texts would be stored as the same. */
const isSame = (one: string, other: string): boolean =>
  one === other || (readJsonText(one).compact ?? one) === (readJsonText(other).compact ?? other)

const laidOut = (text: string): string => {
  const { scan } = readJsonText(text)
  return scan.isJson ? formatJson(scan.tokens) : text
}

/**
 * A record as one person is changing it, held against what others write meanwhile: nothing is written over a version
 * that the person has not seen, and nothing that was typed gives way to one unasked.
 *
 * @param latest the record as it was last read; null for a new one
 * @param onCreated called with the key of a new one once it is stored
 */
export const useRecordDraft = (latest: DataRecord | null, onCreated: (key: string) => void) => {
  const { subdomain } = useSpace()
  /** The version that the draft stands on, and its text. */
  const [base, setBase] = useState(latest)
  const [baseText, setBaseText] = useState(() => (latest ? textOf(latest.value) : BEGINNING))
  const [text, setText] = useState(baseText)
  const [description, setDescription] = useState(latest?.description ?? '')
  /** A version that a save met, which the list of reads may lag behind. */
  const [met, setMet] = useState<DataRecord | null>(null)
  /** My text, when theirs has been taken in its place. */
  const [aside, setAside] = useState<string | null>(null)

  const isValueMine = !isSame(text, baseText)
  const isDescriptionMine = description !== (base?.description ?? '')
  const newest = met && (!latest || met.version >= latest.version) ? met : latest
  const other = newest && base && (newest === met || newest.version > base.version) ? newest : null
  const theirs = other && isValueMine ? other : null

  const adopt = (record: DataRecord, shown: string) => {
    setBase(record)
    setBaseText(shown)
    setMet(null)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason, not what is typed since
  useEffect(() => {
    if (!other) return
    if (isValueMine) setText(laidOut)
    // What I left alone follows them without a question.
    if (isDescriptionMine) return
    setDescription(other.description ?? '')
    setBase(before => before && { ...before, description: other.description })
  }, [other])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the description alone is no reason
  useEffect(() => {
    if (!other || isValueMine) return
    const shown = textOf(other.value)
    setText(shown)
    adopt(other, shown)
    if (isDescriptionMine)
      notifySuccess(`Somebody saved version ${other.version}. Your description is not saved yet.`)
  }, [other, isValueMine])

  const onSaved = (record: DataRecord, said: string) => {
    queries.setQueryData(api.data.get.queryKey({ subdomain, key: record.key }), record)
    void queries.invalidateQueries(api.records.pathFilter())
    notifySuccess(said)
  }

  const create = ({ key, text, description }: Sent) =>
    client.records.create.mutate({
      subdomain,
      key,
      value: JSON.parse(text) as unknown,
      description: description || null,
    })

  /** Writes the draft over the version that was seen last, or makes a record of it. */
  const save = useMutation({
    mutationFn: async (sent: Sent) => {
      const seen = theirs ?? base
      if (!seen) return create(sent)
      const { key, version } = seen
      const value = JSON.parse(sent.text) as unknown
      return client.data.put.mutate({ subdomain, key, value, description: sent.description || null, version })
    },
    onSuccess: (record, sent) => {
      adopt(record, sent.text)
      setAside(null)
      onSaved(record, base ? `Saved as version ${record.version}` : `Made the record ${record.key}`)
      if (!base) onCreated(record.key)
    },
    onError: async (error, { key }) => {
      if (failureOf(error).code !== 'version_conflict') return
      const now = await client.data.get.query({ subdomain, key })
      queries.setQueryData(api.data.get.queryKey({ subdomain, key }), now)
      setMet(now)
    },
  })

  /** Makes the record anew, after somebody deleted it. */
  const restore = useMutation({
    mutationFn: create,
    onSuccess: (record, sent) => {
      save.reset()
      adopt(record, sent.text)
      onSaved(record, `Saved as version ${record.version}`)
    },
  })

  return {
    base,
    text,
    setText,
    description,
    setDescription,
    isUnsaved: isValueMine || isDescriptionMine,
    /** What somebody else saved meanwhile, where it is not what I am writing. */
    theirs,
    /** Whether somebody else wrote another description than I. */
    theirDescription:
      theirs && (theirs.description ?? '') !== description ? (theirs.description ?? '') : null,
    takeTheirs: () => {
      if (!theirs) return
      const shown = textOf(theirs.value)
      setAside(text)
      setText(shown)
      setDescription(theirs.description ?? '')
      adopt(theirs, shown)
      save.reset()
    },
    aside,
    bringBack: () => {
      if (aside !== null) setText(aside)
      setAside(null)
    },
    forgetAside: () => setAside(null),
    save,
    restore,
  }
}

export type RecordDraft = ReturnType<typeof useRecordDraft>
