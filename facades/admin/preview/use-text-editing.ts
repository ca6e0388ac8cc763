import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { findOpen, type OpenBody } from '../editor/open-bodies.ts'
import type { SourceRange, TextPlace } from './contents.ts'
import { decodeReference } from './decode-reference.ts'
import { ChangedMeanwhile, saveText } from './record-edits.tsx'
import { type RecordPath, recordText } from './record-text.ts'
import { textOf, withText } from './source-text.ts'
import type { PreviewDocument } from './use-preview.ts'
import type { MarkedPlace } from './use-selection.ts'

/** The text of an element, and where it is written. */
export type EditedText = { place: MarkedPlace; name: string; text: string } & (
  | { source: SourceRange; html: string }
  | { record: RecordPath }
)

interface TextEditingOptions {
  subdomain: string
  bodies: readonly OpenBody[]
  /** Replaces a range of an open body. Throws ChangedMeanwhile if it was edited since the document was evaluated. */
  replace: (document: PreviewDocument, range: SourceRange, html: string) => void
  /** Called after a record was saved. */
  onRecordSaved: () => void
}

/** Edits the text of an element of a preview: in the draft of a body, or in a record, which is saved at once. */
export const useTextEditing = ({ subdomain, bodies, replace, onRecordSaved }: TextEditingOptions) => {
  const [edited, setEdited] = useState<EditedText | null>(null)
  // What had the focus before the field opened.
  const opener = useRef<Element>(null)
  const isOpen = edited !== null
  useEffect(() => {
    if (isOpen) return () => (opener.current as HTMLElement | null)?.focus()
  }, [isOpen])

  const saving = useMutation({
    mutationFn: async ({ edited, text }: { edited: EditedText; text: string }) => {
      if (text === edited.text) return
      if ('record' in edited) return saveText(subdomain, edited.record, edited.text, text, onRecordSaved)
      const { place, source, html } = edited
      replace(place.document, source, withText(html, text, decodeReference))
    },
    onSuccess: () => setEdited(null),
  })

  /** Opens the text of an element. */
  const opening = useMutation({
    mutationFn: async ({ place, at }: { place: MarkedPlace; at: TextPlace }): Promise<EditedText> => {
      const { document, mark } = place
      if ('record' in at) {
        const { record } = at
        const [key, ...path] = record
        const { value } = await rpc.data.get.query({ subdomain, key })
        const text = valueAt(value, path)
        if (typeof text !== 'string') throw new ChangedMeanwhile()
        return { place, name: recordText(record), text, record }
      }
      const { source } = at
      const html = findOpen(bodies, document, source.body)?.text.slice(source.begin, source.end) ?? ''
      const { name } = document.marks!.elements[mark!]!
      return { place, name, text: textOf(html, decodeReference), source, html }
    },
    onSuccess: opened => {
      saving.reset()
      // What is typed in a field that is open stays.
      setEdited(open => open ?? opened)
    },
  })

  return {
    edited,
    open: (place: MarkedPlace, at: TextPlace) => {
      opener.current = document.activeElement
      opening.mutate({ place, at })
    },
    save: (text: string) => edited && saving.mutate({ edited, text }),
    isSaving: saving.isPending,
    /** Why the text could not be saved. */
    error: saving.error,
    /** Why a text of this element could not be opened. */
    failureAt: ({ document, mark }: MarkedPlace) => {
      const { place } = opening.variables ?? {}
      return place?.document === document && place.mark === mark ? opening.error : null
    },
    close: () => {
      setEdited(null)
      saving.reset()
    },
  }
}

export type TextEditing = ReturnType<typeof useTextEditing>
