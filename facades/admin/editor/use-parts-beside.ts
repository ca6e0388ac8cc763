import { useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { limits } from '../../../routers/api/rules.ts'
import { api, queryClient } from '../api.ts'
import { MAIN, type OpenBody } from './open-bodies.ts'
import type { PartDraft } from './PartBeside.tsx'

/** A part that is open beside the body that a view edits. */
export interface PartBeside {
  id: string
  name: string
}

/**
 * The parts that are open beside the body that a view edits.
 *
 * @param onText called when the preview has to be evaluated again, because a part was opened or closed
 */
export const usePartsBeside = (subdomain: string, onText: () => void) => {
  const [parts, setParts] = useState<PartBeside[]>([])
  /** The key of the body whose code is shown. */
  const [shown, setShown] = useState(MAIN)
  const drafts = useRef(new Map<string, PartDraft>()).current
  const [, render] = useReducer((renders: number) => renders + 1, 0)
  const known = useRef(parts)
  known.current = parts
  const open = parts.flatMap(part => {
    const draft = drafts.get(part.id)
    return draft ? [{ ...part, draft }] : []
  })
  const unsaved = open.filter(({ draft }) => draft.isUnsaved)

  return {
    parts,
    shown,
    bodies: open.map(
      ({ id, name, draft }): OpenBody => ({
        key: id,
        has: where => where.body === 'part' && where.name === name,
        editor: draft.editor,
      }),
    ),
    /** The names of the parts that have unsaved changes. */
    unsaved: unsaved.map(({ name }) => name),
    isSaving: open.some(({ draft }) => draft.saving.isPending),
    /** The texts of the parts, as they are now. */
    texts: () =>
      known.current.flatMap(({ id, name }) => {
        const draft = drafts.get(id)
        return draft ? [{ id, name, html: draft.currentFields().html }] : []
      }),
    save: () => {
      for (const { draft } of unsaved) draft.saveNow()
    },
    /** Shows the code of an open body. */
    show: (key: string) => flushSync(() => setShown(key)),
    /** Opens a part, if there is room for it. */
    open: async (name: string) => {
      const { data } = await queryClient.query(api.parts.list.queryOptions({ subdomain }))
      const part = data.find(part => part.name === name)
      if (!part || known.current.some(({ id }) => id === part.id)) return
      if (known.current.length >= limits.partsBeside) return
      setParts(before =>
        before.some(({ id }) => id === part.id) ? before : [...before, { id: part.id, name }],
      )
      setShown(part.id)
    },
    close: (id: string) => {
      setParts(before => before.filter(part => part.id !== id))
      setShown(MAIN)
    },
    onDraft: (id: string, draft: PartDraft | null) => {
      const before = drafts.get(id)
      if (draft) drafts.set(id, draft)
      else drafts.delete(id)
      if (!before || !draft) onText()
      const statusOf = (one: PartDraft | null | undefined) =>
        one && `${one.isUnsaved} ${one.saving.isPending}`
      if (statusOf(before) !== statusOf(draft)) render()
    },
  }
}

export type PartsBeside = ReturnType<typeof usePartsBeside>
