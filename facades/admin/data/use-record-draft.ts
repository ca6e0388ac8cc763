import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { api, type Inputs, type Outputs, queryClient, rpc } from '../api.ts'
import { failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import type { DraftContent } from '../unsaved/draft-place.ts'
import { useSpace } from '../use-space.ts'
import { formatJson } from './json.ts'
import { readJsonText } from './use-json-text.ts'

export type DataRecord = Outputs['data']['get']

/** The query that reads a record. */
export const recordOptions = (input: Inputs['data']['get'] | typeof skipToken) =>
  // Turn off structural sharing: it copies objects member by member, which loses a key called `__proto__`.
  api.data.get.queryOptions(input, { structuralSharing: false })

/** The initial text of a new record. */
const INITIAL_TEXT = '{\n  \n}'

/** The form's values when it was submitted. */
interface Submitted {
  key: string
  text: string
  description: string
}

/** The fields of a record's draft. */
export interface RecordValues {
  key: string
  text: string
  description: string
}

interface RecordListeners {
  /** Called with the submitted values after each save, even if the person has left the view in the meantime. */
  onSaved: (submitted: RecordValues) => void
  /** Called with the key after the first save of a new record. */
  onCreated: (key: string) => void
}

/**
 * Returns the version that the restored changes started from, and the text of that version. A draft stores only
 * the editable fields of that version. The other fields come from the latest version.
 */
const baseOf = (
  latest: DataRecord | null,
  restored: DraftContent<RecordValues> | null,
): { record: DataRecord | null; text: string } => {
  const before = restored?.base
  if (!latest || !before || Number(before.version) === latest.version)
    return { record: latest, text: latest ? textOf(latest.value) : INITIAL_TEXT }
  const { text, description } = before.fields
  return {
    record: { ...latest, version: Number(before.version), description: description || null },
    text,
  }
}

/** Formats a value for the editor. */
export const textOf = (value: unknown): string => JSON.stringify(value, null, 2)

/** Returns a JSON text as it would be stored; any other text unchanged. */
const storedText = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/**
 * Whether two texts would be stored as the same value. Runs on every change, so it parses the texts without checking
 * them.
 */
const isSame = (one: string, other: string): boolean => one === other || storedText(one) === storedText(other)

/** Whether a record is stored with these fields. */
export const isStored = (record: DataRecord, { text, description }: RecordValues): boolean =>
  isSame(text, textOf(record.value)) && description === (record.description ?? '')

const formatIfValid = (text: string): string => (readJsonText(text).check.isJson ? formatJson(text) : text)

/** A field of a row or item, or a menu or dialog about one. Which row it is about is known only in this version. */
const ABOUT_A_ROW = '[data-rows], [role=menu], [role=dialog]'

/** Whether the focus is where another version would put another row or item in the place of the one that is edited. */
const useRowFocus = () => {
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    // Look when the focus has arrived: on its way from a row to the row's menu, it is nowhere.
    const look = () => setTimeout(() => setHasFocus(document.activeElement?.closest(ABOUT_A_ROW) != null))
    addEventListener('focusin', look)
    addEventListener('focusout', look)
    return () => {
      removeEventListener('focusin', look)
      removeEventListener('focusout', look)
    }
  }, [])
  return hasFocus
}

/**
 * The unsaved state of a record, and the conflict with a version that someone else saved. A save never overwrites a
 * version you have not seen, and your text is never replaced without asking.
 *
 * @param initial the record as read when the editor opened; null for a new one
 * @param restored unsaved changes that the editor continues
 */
export const useRecordDraft = (
  initial: DataRecord | null,
  restored: DraftContent<RecordValues> | null,
  { onSaved, onCreated }: RecordListeners,
) => {
  const { subdomain } = useSpace()
  /** The version that the draft started from, and its text. */
  const [start] = useState(() => baseOf(initial, restored))
  const [base, setBase] = useState(start.record)
  const { data } = useQuery(recordOptions(base ? { subdomain, key: base.key } : skipToken))
  const latest = data ?? initial
  const [baseText, setBaseText] = useState(start.text)
  const [text, setText] = useState(restored?.fields.text ?? baseText)
  const [description, setDescription] = useState(
    restored?.fields.description ?? start.record?.description ?? '',
  )
  /** The newer version that made a save fail, that was there when the editor opened, or that I compare with mine. The cached record can be older or newer. */
  const [conflicting, setConflicting] = useState<DataRecord | null>(() =>
    initial && start.record && initial.version > start.record.version ? initial : null,
  )
  /** My text from before I accepted the other version, so that it can be restored; null if there is none. */
  const [replacedText, setReplacedText] = useState<string | null>(null)

  const isValueChanged = !isSame(text, baseText)
  const isDescriptionChanged = description !== (base?.description ?? '')
  const newest = conflicting && (!latest || conflicting.version >= latest.version) ? conflicting : latest
  const other = conflicting ?? (latest && base && latest.version > base.version ? latest : null)
  // A version that arrives while I type is only announced. If it opened the comparison by itself, a save that I have just
  // decided on could overwrite a version that I have not seen.
  const theirs = isValueChanged ? conflicting : null
  const hasRowFocus = useRowFocus()
  const newer = isValueChanged && !conflicting ? other : null

  /** Makes a stored version the new base. */
  const rebase = (record: DataRecord, recordText: string) => {
    setBase(record)
    setBaseText(recordText)
    setConflicting(null)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each newer version, not while typing
  useEffect(() => {
    if (!other || newer) return
    if (isValueChanged) setText(formatIfValid)
    // If I have not changed the description, take theirs without asking.
    if (isDescriptionChanged) return
    setDescription(other.description ?? '')
    setBase(before => before && { ...before, description: other.description })
  }, [other, theirs])

  // Before the next key press, which would otherwise change the text of the version before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed description alone must not trigger this
  useLayoutEffect(() => {
    if (!other || isValueChanged || (hasRowFocus && !conflicting)) return
    const newText = textOf(other.value)
    setText(newText)
    rebase(other, newText)
    if (isDescriptionChanged)
      notifySuccess(`Someone saved version ${other.version}. Your description is not saved yet.`)
  }, [other, isValueChanged, hasRowFocus])

  const onStored = (record: DataRecord, submitted: Submitted, message: string) => {
    rebase(record, submitted.text)
    onSaved(submitted)
    queryClient.setQueryData(api.data.get.queryKey({ subdomain, key: record.key }), record)
    void queryClient.invalidateQueries(api.records.pathFilter())
    void queryClient.invalidateQueries(api.delivery.pathFilter())
    notifySuccess(message)
  }
  /** The last save, with the version before it, which is null for a new record. */
  const [lastSave, setLastSave] = useState<{ before: DataRecord | null; stored: DataRecord } | null>(null)

  const create = ({ key, text, description }: Submitted) =>
    rpc.records.create.mutate({
      subdomain,
      key,
      value: JSON.parse(text) as unknown,
      description: description || null,
    })

  /** Saves the draft on top of the last version seen, or creates the record. */
  const save = useMutation({
    mutationFn: async (submitted: Submitted) => {
      const seen = theirs ?? base
      if (!seen) return create(submitted)
      const { key, version } = seen
      const value = JSON.parse(submitted.text) as unknown
      const description = submitted.description || null
      try {
        return await rpc.data.put.mutate({ subdomain, key, value, description, version })
      } catch (error) {
        if (failureOf(error).code !== 'version_conflict') throw error
        // If the other version can't be read, that is why the save failed: there is nothing to compare.
        const now = await rpc.data.get.query({ subdomain, key })
        queryClient.setQueryData(api.data.get.queryKey({ subdomain, key }), now)
        // Cells and fields write when they lose the focus. The comparison takes the text over as it is when it opens.
        document.querySelector<HTMLElement>('[data-rows] :focus')?.blur()
        setConflicting(now)
        throw error
      }
    },
    onSuccess: (record, submitted) => {
      setReplacedText(null)
      setLastSave({ before: theirs ?? base, stored: record })
      onStored(
        record,
        submitted,
        base ? `Saved as version ${record.version}` : `Record ${record.key} created`,
      )
      if (!base) onCreated(record.key)
    },
  })

  /** Stores the version before the last save again. What the editor shows stays, as unsaved changes. */
  const undoing = useMutation({
    mutationFn: ({ before, stored }: { before: DataRecord; stored: DataRecord }) =>
      rpc.data.put.mutate({
        subdomain,
        key: stored.key,
        value: before.value,
        description: before.description,
        version: stored.version,
      }),
    onSuccess: record => {
      setLastSave(null)
      onStored(
        record,
        { key: record.key, text: textOf(record.value), description: record.description ?? '' },
        `Saved as version ${record.version}, which is the one before`,
      )
    },
  })

  /** Creates the record again after someone deleted it. */
  const restore = useMutation({
    mutationFn: create,
    onSuccess: (record, submitted) => {
      save.reset()
      onStored(record, submitted, `Saved as version ${record.version}`)
    },
  })

  return {
    base,
    baseText,
    text,
    setText,
    /** Discards the changes: shows the stored record, or the initial text of a new record. */
    discard: () => {
      const stored = newest ?? base
      const newText = stored ? textOf(stored.value) : INITIAL_TEXT
      if (stored) rebase(stored, newText)
      setText(newText)
      setDescription(stored?.description ?? '')
      setReplacedText(null)
      save.reset()
    },
    description,
    setDescription,
    isUnsaved: isValueChanged || isDescriptionChanged,
    /** A version that someone else saved while I was changing the text. */
    newer: save.isPending || restore.isPending ? null : newer,
    /** Compares my text with {@link newer}. */
    compare: () => setConflicting(newer),
    /** The version someone else saved, if it conflicts with my text and I compare them. */
    theirs,
    /** The description in the other person's version; null if it is the same as mine. */
    theirDescription:
      theirs && (theirs.description ?? '') !== description ? (theirs.description ?? '') : null,
    acceptTheirs: () => {
      if (!theirs) return
      const newText = textOf(theirs.value)
      setReplacedText(text)
      setText(newText)
      setDescription(theirs.description ?? '')
      rebase(theirs, newText)
      save.reset()
    },
    replacedText,
    /** Undoes `acceptTheirs` for the text. */
    restoreText: () => {
      if (replacedText !== null) setText(replacedText)
      setReplacedText(null)
    },
    discardText: () => setReplacedText(null),
    save,
    restore,
    lastSave,
    undoing,
  }
}

export type RecordDraft = ReturnType<typeof useRecordDraft>
