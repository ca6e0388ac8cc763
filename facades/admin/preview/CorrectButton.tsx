import { Button } from '@mantine/core'
import type { Correction } from '../editor/code-editor-props.ts'
import { correctionText } from '../editor/corrections.ts'
import type { TemplatePlace } from './use-preview.ts'

/**
 * Returns a function that replaces a misspelled name at a place; undefined if the place is in another page or part.
 */
export type CorrectAt = (place: TemplatePlace, correction: Correction) => (() => void) | undefined

/** A button that replaces a misspelled name in the editor. */
export const CorrectButton = ({ correction, onClick }: { correction: Correction; onClick: () => void }) => (
  <Button size="compact-xs" variant="default" onClick={onClick}>
    {correctionText(correction)}
  </Button>
)
