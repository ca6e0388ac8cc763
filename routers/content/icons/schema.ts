import { z } from 'zod'
import { invalid } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { base64Size, decodeContent } from '../files/content.ts'
import { rebuildIcon } from './rebuild.ts'

/**
 * Line breaks are ignored in the base64 of an icon. A space character is an error there, although it is ignored in the
 * base64 of a file (contract: "Profile rules", 4).
 */
const LINE_BREAKS = /[\r\n]+/g

/** An icon in a request. */
export const png = z
  .string()
  .superRefine((value, context) => {
    const size = base64Size(value, LINE_BREAKS)
    if (typeof size === 'string') context.addIssue({ code: 'custom', message: size })
    else if (size === 0) context.addIssue({ code: 'custom', message: 'must not be empty' })
    else if (size > limits.iconBytes)
      context.addIssue({ code: 'custom', message: `must have at most ${limits.iconBytes} bytes` })
  })
  .meta({
    minLength: 1,
    description: `A PNG of exactly ${limits.iconSide}×${limits.iconSide} pixels and at most ${limits.iconBytes} bytes, as base64`,
    // A very small icon of a single color.
    examples: [
      'iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQMAAABmvDolAAAAA1BMVEU6fURlpt+uAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAH0lEQVRo3u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAvg0hAAABfxmcpwAAAABJRU5ErkJggg==',
    ],
  })

/**
 * Decodes and re-encodes an icon for storage.
 *
 * @throws `validation_failed` on `png`
 */
export const iconFrom = async (base64: string): Promise<Buffer> => {
  const result = await rebuildIcon(decodeContent(base64, 'base64'))
  if ('fault' in result) throw invalid('png', result.fault)
  return result.png
}
