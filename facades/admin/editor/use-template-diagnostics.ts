import { type RefObject, useCallback, useMemo, useState } from 'react'
import { hintSentence } from '../../shared/review-sentences.ts'
import type { PreviewState, TemplatePlace } from '../preview/use-preview.ts'
import type { Correction, Diagnostic, EditorHandle } from './code-editor-props.ts'
import { correctionOf } from './corrections.ts'

/** Whether the person is still typing at the position of an error in the body that `editor` shows. */
export const isBeingTyped = (
  { where, line, column }: TemplatePlace,
  editor: EditorHandle | null,
  isHere: (where: TemplatePlace['where']) => boolean,
): boolean => line !== null && isHere(where) && (editor?.isBeingTyped(line, column ?? 1) ?? false)

/**
 * Prepares the template error and the hints of a preview for the editor of one body. Returns:
 *
 * - `diagnostics`: the error and the hints in this body.
 * - `goTo`: returns a function that moves the editor to a place.
 * - `correct`: returns a function that replaces a misspelled name at a place.
 * - `onLoad`: call it when the editor is loaded.
 *
 * `goTo` and `correct` return undefined if the place is in another body, or while the editor is loading.
 *
 * @param isHere whether a place is in the body being edited
 */
export const useTemplateDiagnostics = (
  { error, review }: Pick<PreviewState, 'error' | 'review'>,
  editor: RefObject<EditorHandle | null>,
  isHere: (where: TemplatePlace['where']) => boolean,
) => {
  // The preview can be complete before the browser has loaded the editor.
  const [isLoaded, setIsLoaded] = useState(false)
  const onLoad = useCallback(() => setIsLoaded(true), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `isHere` changes with the name of the body, but the places use the name it had in the preview
  const diagnostics = useMemo(() => {
    const marks: Diagnostic[] = []
    const add = (
      { where, line, column }: TemplatePlace,
      mark: Pick<Diagnostic, 'message' | 'severity' | 'correction'>,
    ) => {
      if (line !== null && isHere(where)) marks.push({ line, column: column ?? 1, ...mark })
    }
    if (error)
      add(error, {
        message: `${error.message} ${error.advice}`,
        severity: 'error',
        correction: error.correction,
      })
    for (const hint of review?.hints ?? [])
      add(hint, { message: hintSentence(hint), severity: 'info', correction: correctionOf(hint) })
    return marks
  }, [error, review])
  const goTo = ({ where, line, column }: TemplatePlace) =>
    isLoaded && line !== null && isHere(where) ? () => editor.current?.goTo(line, column ?? 1) : undefined
  const correct = ({ where, line, column }: TemplatePlace, correction: Correction) =>
    isLoaded && line !== null && isHere(where)
      ? () => editor.current?.correct(line, column ?? 1, correction)
      : undefined
  return { diagnostics, goTo, correct, onLoad }
}
