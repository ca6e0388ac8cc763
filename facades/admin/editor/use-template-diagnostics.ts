import { type RefObject, useMemo } from 'react'
import { hintSentence } from '../../shared/review-sentences.ts'
import type { PreviewState, TemplatePlace } from '../preview/use-preview.ts'
import type { Diagnostic, EditorHandle } from './code-editor-props.ts'

/** Whether the person is typing where an error is, in the body that `editor` shows. */
export const isBeingTyped = (
  { where, line, column }: TemplatePlace,
  editor: EditorHandle | null,
  isHere: (where: TemplatePlace['where']) => boolean,
): boolean => line !== null && isHere(where) && (editor?.isBeingTyped(line, column ?? 1) ?? false)

/**
 * The template error and the hints of a preview, for the editor of one body.
 *
 * @param isHere whether a place is in the body being edited
 * @returns the diagnostics of that body; and `goTo`, which returns a function that moves the editor to a place, or
 *   undefined if the place is not in that body
 */
export const useTemplateDiagnostics = (
  { error, review }: Pick<PreviewState, 'error' | 'review'>,
  editor: RefObject<EditorHandle | null>,
  isHere: (where: TemplatePlace['where']) => boolean,
) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `isHere` changes with the name of the body, but the places use the name it had in the preview
  const diagnostics = useMemo(() => {
    const marks: Diagnostic[] = []
    const add = ({ where, line, column }: TemplatePlace, message: string, severity: 'error' | 'info') => {
      if (line !== null && isHere(where)) marks.push({ line, column: column ?? 1, message, severity })
    }
    if (error) add(error, `${error.message} ${error.advice}`, 'error')
    for (const hint of review?.hints ?? []) add(hint, hintSentence(hint), 'info')
    return marks
  }, [error, review])
  const goTo = ({ where, line, column }: TemplatePlace) =>
    line !== null && isHere(where) ? () => editor.current?.goTo(line, column ?? 1) : undefined
  return { diagnostics, goTo }
}
