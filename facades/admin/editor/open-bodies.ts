import type { RefObject } from 'react'
import type { PageMarks, PreviewDocument } from '../preview/use-preview.ts'
import type { EditorHandle } from './code-editor-props.ts'

export type Body = PageMarks['bodies'][number]

/** A page or part that is open in an editor. */
export interface OpenBody {
  /** Identifies its text in `written` of a document. */
  key: string
  /** Whether it is the body that the marks of a document name. */
  has: (body: Body) => boolean
  editor: RefObject<EditorHandle | null>
}

/** An open body, and its text as it was evaluated for a document. */
export type WrittenBody = OpenBody & { text: string }

/** The key of the body that a view edits. */
export const MAIN = 'main'

/** Finds a body of a document among the open ones; undefined if it was not open when the document was evaluated. */
export const findOpen = (
  bodies: readonly OpenBody[],
  { marks, written }: PreviewDocument,
  index: number,
): WrittenBody | undefined => {
  const named = marks?.bodies[index]
  const open = named && bodies.find(({ has }) => has(named))
  const text = open && written?.get(open.key)
  return text === undefined ? undefined : { ...open!, text }
}
