import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { mergeFields } from '../../shared/merge-fields.ts'
import type { DraftContent } from '../unsaved/draft-place.ts'
import { type Restored, useEditing } from '../unsaved/use-editing.ts'
import type { EditorHandle } from './code-editor-props.ts'
import { templateErrors } from './template-errors.ts'

/** The fields of a page (slug, kind, body) or part (name, body). */
export type Fields = Record<string, string> & { html: string }

/** A page or part as it is stored. */
export interface Stored<F extends Fields> {
  /** Null before the first save. */
  id: string | null
  fields: F
  /** Null before the first save. */
  updated_at: string | null
}

/** The result of a save: stored, or rejected because someone else saved first. */
export type SaveResult<F extends Fields> =
  | { saved: true; stored: Stored<F> }
  | { saved: false; theirs: Stored<F> }

/** A save by this editor, and the version that it replaced. */
export interface Save<F extends Fields> {
  before: Stored<F>
  stored: Stored<F>
}

interface Options<F extends Fields> {
  stored: Stored<F>
  /** The unsaved changes that the editor starts with; null if there are none. */
  restored: Restored<F> | null
  /** The kind of item that is edited, and its space; `newId` identifies the draft until the first save. */
  place: { subdomain: string; kind: 'page' | 'part'; newId: string }
  /** Saves fields on top of the version `base`, or creates a page or part if `base` has no id. */
  save: (fields: F, base: Stored<F>) => Promise<SaveResult<F>>
  /** Called when the person saves. Returns false if they have to answer a question first; then call `saveNow`. */
  mayBeSaved?: () => boolean
  /** Called after every save. */
  onSaved: () => void
  /** Called with the id after the first save of a new page or part. */
  onCreated: (id: string) => void
}

const trimmed = <F extends Fields>(fields: F): F => ({ ...fields, html: fields.html.trim() })

const isSame = (one: Fields, other: Fields) =>
  Object.keys(one).every(name => one[name]?.trim() === other[name]?.trim())

/**
 * The state that an editor starts with: the stored version, or restored changes with the version that they are based
 * on.
 */
const startOf = <F extends Fields>({ stored, restored }: Options<F>) => {
  if (!restored || isSame(restored.content.fields, stored.fields))
    return { base: stored, fields: stored.fields, restoredAt: null }
  const { fields, base: before } = restored.content
  const base = before ? { ...stored, fields: before.fields, updated_at: before.version } : stored
  return { base, fields, restoredAt: restored.at }
}

/**
 * The unsaved state of a page or part: its current fields, the version it started from, and the conflict with a version
 * that someone else saved. The body is kept in a ref, not in React state, because it changes on every keystroke.
 */
export const useTemplateDraft = <F extends Fields>(options: Options<F>) => {
  const { place, save: store, mayBeSaved = () => true, onSaved, onCreated } = options
  const [start] = useState(() => startOf(options))
  const [base, setBase] = useState(start.base)
  const [fields, setFields] = useState(start.fields)
  const [isUnsaved, setIsUnsaved] = useState(start.restoredAt !== null)
  const [theirs, setTheirs] = useState<Stored<F> | null>(null)
  const [lastSave, setLastSave] = useState<Save<F> | null>(null)
  const html = useRef(start.fields.html)
  // The fields with which the editor was last filled, to tell whether the person has typed anything since.
  const filled = useRef(options.stored.fields)
  const editor = useRef<EditorHandle>(null)
  // The editor's callbacks can run between two renders, so they read the current values from this ref.
  const latest = useRef({ base, fields, isUnsaved })

  const draftPlace = {
    subdomain: place.subdomain,
    kind: place.kind,
    thing: base.id ?? place.newId,
    isNew: base.id === null,
  }
  const currentFields = (): F => ({ ...latest.current.fields, html: html.current })

  const content = (): DraftContent<F> => {
    const { id, fields: before, updated_at: version } = latest.current.base
    return {
      fields: currentFields(),
      base: id === null || version === null ? null : { fields: before, version },
    }
  }

  /** Whether to save again after the save that is in progress, because the person has typed and saved meanwhile. */
  const isSaveDue = useRef(false)
  const saveNow = () => {
    // While a conflict is open, only the conflict view saves.
    if (theirs || undoing.isPending) return
    isSaveDue.current = saving.isPending
    if (!saving.isPending) saving.mutate({ fields: currentFields(), on: latest.current.base })
  }
  const save = () => {
    if (mayBeSaved()) saveNow()
  }
  const { kept, restoredAt, guard } = useEditing<F>({
    place: draftPlace,
    restored: options.restored,
    restoredAt: start.restoredAt,
    isUnsaved,
    content,
    // `setUnsaved` keeps each change at once, because the body is not in React state.
    changes: [],
    save,
    hasConflict: theirs !== null,
    focus: () => editor.current?.focus(),
  })

  const setUnsaved = (unsaved: boolean) => {
    latest.current.isUnsaved = unsaved
    setIsUnsaved(unsaved)
    // After the first save, the item has a new id. `useEditing` then keeps the draft under that id.
    const { id } = latest.current.base
    if (id === base.id) kept.note(unsaved ? content() : null)
    else kept.note(null, id ?? undefined)
  }

  /** Shows the fields in `now` in the editor. The stored version in `from` becomes the base of the changes. */
  const continueFrom = (from: Stored<F>, now: F) => {
    latest.current = { ...latest.current, base: from, fields: now }
    setBase(from)
    setFields(now)
    setTheirs(null)
    // The service trims the body, but white space at the cursor must stay in the editor.
    if (now.html.trim() !== html.current.trim()) {
      html.current = now.html
      editor.current?.setText(now.html)
    }
    setUnsaved(from.id === null || !isSame(now, from.fields))
  }

  const saving = useMutation({
    mutationFn: async ({ fields, on }: { fields: F; on: Stored<F> }) => {
      const result = await store(trimmed(fields), on)
      if (result.saved) return { ...result, before: on }
      const { fields: merged, conflicts } = mergeFields(
        trimmed(on.fields),
        trimmed(fields),
        result.theirs.fields,
      )
      // Changes to different fields need no decision: keep both.
      if (conflicts.length > 0) return result
      return { ...(await store(merged, result.theirs)), before: result.theirs }
    },
    onSuccess: (result, { fields: sent, on }) => {
      if (!result.saved) return setTheirs(result.theirs)
      setLastSave(result)
      // Keep what was typed while the save was in progress.
      continueFrom(result.stored, mergeFields(sent, currentFields(), result.stored.fields).fields)
      onSaved()
      const { id } = result.stored
      if (id !== null && id !== on.id) onCreated(id)
      const isDue = isSaveDue.current && latest.current.isUnsaved
      isSaveDue.current = false
      if (isDue) saving.mutate({ fields: currentFields(), on: latest.current.base })
    },
    onError: () => {
      isSaveDue.current = false
    },
  })

  const undoing = useMutation({
    mutationFn: ({ before, stored }: Save<F>) => store(before.fields, stored),
    onSuccess: result => {
      if (!result.saved) return setTheirs(result.theirs)
      setLastSave(null)
      continueFrom(result.stored, currentFields())
      onSaved()
    },
  })

  /** Clears the error of a field once the field changes. */
  const clearError = (name: string) => {
    if (templateErrors(saving.error, [name])[name] !== undefined) saving.reset()
  }

  return {
    base,
    fields,
    editor,
    isUnsaved,
    /** Whether there are unsaved changes now, also if they are not rendered yet. */
    isUnsavedNow: () => latest.current.isUnsaved,
    theirs,
    saving,
    /** The last save by this editor; null if there was none, or if it was undone. */
    lastSave,
    /** Saves the version before a save again. What the editor shows stays, as unsaved changes. */
    undoing,
    currentFields,
    /** To be called with the body after every change. */
    setText: (text: string) => {
      html.current = text
      clearError('html')
      setUnsaved(!isSame(currentFields(), latest.current.base.fields))
    },
    setField: (name: keyof F & string, value: string) => {
      const now = { ...latest.current.fields, [name]: value }
      latest.current = { ...latest.current, fields: now }
      setFields(now)
      clearError(name)
      setUnsaved(!isSame(currentFields(), latest.current.base.fields))
    },
    /** Whether the fields have changed since the editor was last filled. */
    isTyped: () => !isSame(currentFields(), filled.current),
    /**
     * Replaces all fields, for example with the fields of an example page. Undo in the editor restores the earlier
     * body.
     */
    replace: (now: F) => {
      filled.current = now
      latest.current = { ...latest.current, fields: now }
      setFields(now)
      html.current = now.html
      editor.current?.setText(now.html)
      setUnsaved(!isSame(now, latest.current.base.fields))
    },
    save,
    saveNow,
    /** Saves the current fields as a new page or part after the old one was deleted. */
    saveAsNew: () => {
      const from = { ...latest.current.base, id: null, updated_at: null }
      continueFrom(from, currentFields())
      saving.mutate({ fields: currentFields(), on: from })
      editor.current?.focus()
    },
    /** Opens the conflict view with the version that someone else saved. */
    compare: setTheirs,
    /** Closes the conflict view; the next save opens it again. */
    postpone: () => setTheirs(null),
    /** Replaces my current fields with the fields of their version. */
    acceptTheirs: (version: Stored<F>) => continueFrom(version, version.fields),
    /** The item that is edited, and the state of its kept draft. */
    place: draftPlace,
    kept,
    guard,
    /** When the restored changes were made; null if there were none, or once they are saved or discarded. */
    restoredAt,
    /** Discards the changes: shows the stored version, or the initial text of a new page or part. */
    discard: (stored: Stored<F> = options.stored) => {
      continueFrom(stored, stored.fields)
      setUnsaved(false)
      saving.reset()
    },
    /** Saves the fields in `now`. These fields replace `version`, which someone else saved. */
    saveOver: (version: Stored<F>, now: F) => {
      continueFrom(version, now)
      saving.mutate({ fields: now, on: version })
    },
  }
}

export type TemplateDraft<F extends Fields> = ReturnType<typeof useTemplateDraft<F>>
