import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, queryClient, rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { offerUndo } from '../ui/offer-undo.tsx'
import { recordText } from './record-text.ts'
import { type Decode, textOf, withText } from './source-text.ts'
import type { PreviewDocument } from './use-preview.ts'
import type { MarkedElement, MarkedPlace } from './use-selection.ts'

/** A place in a record. */
export type RecordPath = NonNullable<MarkedElement['values'][number]['record']>

/** The text of an element, and where it is written. */
export type EditedText = { place: MarkedPlace; name: string; text: string } & (
  | { source: { document: PreviewDocument; begin: number; end: number; html: string } }
  | { record: RecordPath }
)

/** Where the whole text of an element is written, if it can be edited in place. */
export type TextPlace = { begin: number; end: number } | { record: RecordPath }

/** The text changed since the preview was evaluated. */
class TextChanged extends Error {}

const parser = new DOMParser()
const decode: Decode = reference =>
  parser.parseFromString(`<body>.${reference}`, 'text/html').body.textContent.slice(1)

/** Returns a copy of a value with another one at a path. */
const withValueAt = (value: unknown, [key, ...rest]: readonly (string | number)[], text: string): unknown => {
  if (key === undefined) return text
  const copy = structuredClone(value) as object
  // Unlike an assignment, this also works for a key called `__proto__`.
  Object.defineProperty(copy, key, {
    value: withValueAt(valueAt(value, [key]), rest, text),
    writable: true,
    enumerable: true,
    configurable: true,
  })
  return copy
}

interface TextEditingOptions {
  subdomain: string
  /** Replaces a range of the body in the editor. Returns false if it was edited since the document was evaluated. */
  replace: (document: PreviewDocument, range: { begin: number; end: number }, html: string) => boolean
  /** Called after a record was saved. */
  onRecordSaved: () => void
}

/** Edits the text of an element of a preview: in the draft of the body, or in a record, which is saved at once. */
export const useTextEditing = ({ subdomain, replace, onRecordSaved }: TextEditingOptions) => {
  const [edited, setEdited] = useState<EditedText | null>(null)
  // What had the focus before the field opened.
  const opener = useRef<Element>(null)
  const isOpen = edited !== null
  useEffect(() => {
    if (isOpen) return () => (opener.current as HTMLElement | null)?.focus()
  }, [isOpen])

  const saveString = async ([key, ...path]: RecordPath, from: string, to: string) => {
    const record = await rpc.data.get.query({ subdomain, key })
    if (valueAt(record.value, path) !== from) throw new TextChanged()
    const { version, description } = record
    const value = withValueAt(record.value, path, to)
    const saved = await rpc.data.put.mutate({ subdomain, key, value, description, version })
    queryClient.setQueryData(api.data.get.queryKey({ subdomain, key }), saved)
    void queryClient.invalidateQueries(api.records.pathFilter())
    onRecordSaved()
  }

  const saving = useMutation({
    mutationFn: async ({ edited, text }: { edited: EditedText; text: string }) => {
      if (text === edited.text) return
      if ('source' in edited) {
        const { document, html, ...range } = edited.source
        if (!replace(document, range, withText(html, text, decode))) throw new TextChanged()
        return
      }
      const { record } = edited
      await saveString(record, edited.text, text)
      offerUndo({
        title: recordText(record),
        verb: 'saved',
        undo: async () => {
          await saveString(record, text, edited.text)
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
    },
    onSuccess: () => setEdited(null),
  })

  /** Opens the text of an element. */
  const opening = useMutation({
    mutationFn: async ({ place, at }: { place: MarkedPlace; at: TextPlace }) => {
      const { document, mark } = place
      const { name } = document.marks!.elements[mark!]!
      if ('record' in at) {
        const [key, ...path] = at.record
        const { value } = await rpc.data.get.query({ subdomain, key })
        const text = valueAt(value, path)
        if (typeof text !== 'string') throw new TextChanged()
        return { place, name: recordText(at.record), text, record: at.record }
      }
      const html = (document.written ?? '').slice(at.begin, at.end)
      return { place, name, text: textOf(html, decode), source: { document, ...at, html } }
    },
    onSuccess: opened => {
      saving.reset()
      setEdited(opened)
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
    /** Why the text could not be opened or saved; `changed` if someone has changed it in the meantime. */
    error: saving.error ?? opening.error,
    isChanged: [saving.error, opening.error].some(error => error instanceof TextChanged),
    close: () => {
      setEdited(null)
      saving.reset()
    },
  }
}

export type TextEditing = ReturnType<typeof useTextEditing>
