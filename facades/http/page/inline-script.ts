import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Markup } from '../../../routers/api/html.ts'

/** A script of the service that is written into a document. */
export interface InlineScript {
  code: Markup
  /** The source expression that allows only this script in a `script-src` policy. */
  source: string
}

/** Reads a script. It must not contain `</script`, which would close the element. */
export const inlineScript = (file: URL): InlineScript => {
  const code = readFileSync(file, 'utf8')
  return { code: new Markup(code), source: `'sha256-${createHash('sha256').update(code).digest('base64')}'` }
}
