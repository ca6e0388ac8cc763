import type { FilterImplOptions, Liquid } from 'liquidjs'
import { escapeHtml } from '../escape-html.ts'
import { Html } from '../html.ts'
import { textOf } from './text.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

/** What must be escaped in text that can contain entities. */
const NO_ENTITY = /[<>"']|&(?!(?:[a-z]+|#\d+);)/gi

/** Returns safe HTML, which is not escaped again when it is printed. */
function escaped(this: FilterThis, value: unknown): Html {
  return new Html(escapeHtml(textOf(this, value)))
}

/** Escapes everything but entities. */
function escapeOnce(this: FilterThis, value: unknown): Html {
  return new Html(textOf(this, value).replace(NO_ENTITY, escapeHtml))
}

/** Line breaks become `<br />`; the text around them is escaped unless `raw` follows. */
function newlineToBreak(this: FilterThis, value: unknown): Html {
  const text = textOf(this, value)
  const html = value instanceof Html ? value.html : escapeHtml(text)
  return new Html(withBreaks(html), withBreaks(text))
}

function withBreaks(text: string): string {
  return text.replace(/\r?\n/g, '<br />\n')
}

export const ESCAPING_FILTERS: Liquid['filters'] = {
  escape: escaped,
  h: escaped,
  xml_escape: escaped,
  escape_once: escapeOnce,
  newline_to_br: newlineToBreak,
}
