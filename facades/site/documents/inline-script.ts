import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Markup } from '../../../routers/core/html.ts'

/** A script of the service that is part of a document. */
export interface InlineScript {
  code: Markup
  /** The `script-src` that allows this script only. */
  source: string
}

/** Reads a script, whose text must not end a script element. */
export const inlineScript = (file: URL): InlineScript => {
  const code = readFileSync(file, 'utf8')
  return { code: new Markup(code), source: `'sha256-${createHash('sha256').update(code).digest('base64')}'` }
}
