import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { EditorHandle } from './CodeEditor.tsx'
import { mergeFields } from './merge-fields.ts'
import { useReturn } from './use-return.ts'

/** Fields of a thing with a body: slug and kind of a page, the name of a part. */
export type Fields = Record<string, string> & { html: string }

/** A thing as it is stored. */
export interface Stored<F extends Fields> {
  /** Null of what has not been stored yet. */
  id: string | null
  fields: F
  /** When it was changed last; null of what has not been stored yet. */
  updated_at: string | null
}

/** What became of saving: it is stored, or somebody else was faster. */
export type Saved<F extends Fields> = { saved: true; stored: Stored<F> } | { saved: false; theirs: Stored<F> }

interface Options<F extends Fields> {
  stored: Stored<F>
  /** Saves fields on top of a version, or makes something new of them. */
  save: (fields: F, on: Stored<F>) => Promise<Saved<F>>
  /** Called once it is stored. */
  onSaved: () => void
  /** Called with the id of something new once it is stored. */
  onCreated: (id: string) => void
}

const trimmed = <F extends Fields>(fields: F): F => ({ ...fields, html: fields.html.trim() })

const same = (one: Fields, other: Fields) =>
  Object.keys(one).every(name => one[name]?.trim() === other[name]?.trim())

/**
 * A thing that is being changed: what it is like now, what it was begun with, and how both get together with what
 * others write meanwhile. The body is kept out of React's state, for it changes with every key.
 */
export const useEditing = <F extends Fields>({ stored, save, onSaved, onCreated }: Options<F>) => {
  const [base, setBase] = useState(stored)
  const [fields, setFields] = useState(stored.fields)
  const [isUnsaved, setIsUnsaved] = useState(false)
  const [theirs, setTheirs] = useState<Stored<F> | null>(null)
  const html = useRef(stored.fields.html)
  const editor = useRef<EditorHandle>(null)
  // The editor speaks between two renderings too, and is answered by what holds then.
  const latest = useRef({ base, fields })
  useReturn(theirs !== null, () => editor.current?.focus())

  /** Everything as it is now. */
  const current = (): F => ({ ...latest.current.fields, html: html.current })

  /** Goes on from what is stored, with what is to be in the editor. */
  const goOn = (from: Stored<F>, now: F) => {
    latest.current = { base: from, fields: now }
    setBase(from)
    setFields(now)
    setTheirs(null)
    setIsUnsaved(from.id === null || !same(now, from.fields))
    // White space around a body is not stored, and not taken from the person who types it either.
    if (now.html.trim() === html.current.trim()) return
    html.current = now.html
    editor.current?.setText(now.html)
  }

  const saving = useMutation({
    mutationFn: async ({ fields, on }: { fields: F; on: Stored<F> }) => {
      const answer = await save(trimmed(fields), on)
      if (answer.saved) return answer
      const { fields: merged, disputed } = mergeFields(
        trimmed(on.fields),
        trimmed(fields),
        answer.theirs.fields,
      )
      // What they and I have done lies side by side: both are kept, without a question.
      return disputed.length > 0 ? answer : save(merged, answer.theirs)
    },
    onSuccess: (answer, { fields: sent, on }) => {
      if (!answer.saved) return setTheirs(answer.theirs)
      // Typing went on while it was being saved: what has been typed since stays as it is.
      goOn(answer.stored, mergeFields(sent, current(), answer.stored.fields).fields)
      onSaved()
      const { id } = answer.stored
      if (id !== null && id !== on.id) onCreated(id)
    },
  })

  return {
    base,
    fields,
    html,
    editor,
    isUnsaved,
    theirs,
    saving,
    current,
    /** Hears the body after each key. */
    onText: (text: string) => {
      html.current = text
      setIsUnsaved(!same(current(), latest.current.base.fields))
    },
    setField: (name: keyof F & string, value: string) => {
      const now = { ...latest.current.fields, [name]: value }
      latest.current = { ...latest.current, fields: now }
      setFields(now)
      setIsUnsaved(!same(current(), latest.current.base.fields))
    },
    save: () => {
      // While two texts lie side by side, it is decided there what is saved.
      if (!saving.isPending && !theirs) saving.mutate({ fields: current(), on: latest.current.base })
    },
    /** Makes something new of what is here, after somebody has deleted what it was. */
    saveAnew: () => {
      const from = { ...latest.current.base, id: null, updated_at: null }
      goOn(from, current())
      saving.mutate({ fields: current(), on: from })
      editor.current?.focus()
    },
    /** Shows what somebody else has written beside what is here. */
    compare: setTheirs,
    /** Back to writing; what they wrote is asked about again with the next save. */
    putOff: () => setTheirs(null),
    /** What they wrote takes the place of what is here. */
    takeTheirs: (of: Stored<F>) => goOn(of, of.fields),
    /** Saves on top of what they wrote. */
    saveOver: (of: Stored<F>, now: F) => {
      goOn(of, now)
      saving.mutate({ fields: now, on: of })
    },
  }
}

export type Editing<F extends Fields> = ReturnType<typeof useEditing<F>>
