import type { Correction } from './code-editor-props.ts'

/** Where tags and outputs end. */
const END = /%\}|\}\}/g

const isPartOfName = (character: string | undefined) => character !== undefined && /[\w-]/.test(character)

/**
 * Finds a misspelled name in the tag or output at an offset.
 *
 * @returns the offset of the name; undefined if the tag or output no longer contains it
 */
export const offsetOfName = (text: string, at: number, { written }: Correction): number | undefined => {
  END.lastIndex = at
  const end = END.exec(text)?.index ?? text.length
  for (
    let found = text.indexOf(written, at);
    found !== -1 && found + written.length <= end;
    found = text.indexOf(written, found + 1)
  )
    if (!isPartOfName(text[found - 1]) && !isPartOfName(text[found + written.length])) return found
  return undefined
}

/** Returns the correction of the name that a hint reports; undefined if no existing name resembles it. */
export const correctionOf = ({
  written,
  nearest,
}: {
  written: string | null
  nearest: string | null
}): Correction | undefined => (written === null || nearest === null ? undefined : { written, nearest })

/** The label of a button that applies a correction. */
export const correctionText = ({ nearest }: Correction): string => `Replace with “${nearest}”`
