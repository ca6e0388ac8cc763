import { type Content, html, type Markup } from '../../routers/api/html.ts'

/** Converts text to markup. Backticks mark code. */
export const prose = (text: string): Content[] =>
  text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))

/** Converts text to markup and ends it with a period, because descriptions of fields are written without one. */
export const sentence = (text: string): Content[] => prose(/[.!?…]$/.test(text) ? text : `${text}.`)

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Indented JSON with highlighted keys, strings and other values. */
export const json = (value: unknown): Markup => {
  const text = JSON.stringify(value, null, 2)
  const parts: Content[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match
    const kind = colon === undefined ? (string === undefined ? 'value' : 'string') : 'key'
    parts.push(text.slice(end, match.index), html`<span class="${kind}">${string ?? token}</span>${colon}`)
    end = match.index + token.length
  }
  return html`${parts}${text.slice(end)}`
}

/** A block of code that can be scrolled with the keyboard. */
export const block = (label: string, content: Content): Markup =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${content}</code></pre></figure>`

const idOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/**
 * A list of terms with explanations, each with an anchor.
 *
 * @param section the id of the section, with which the ids of the terms begin
 */
export const termList = (section: string, rows: readonly (readonly [string, string])[]): Markup =>
  html`<dl class="terms">${rows.map(
    ([title, text]) =>
      html`<div id="${section}-${idOf(title)}"><dt>${prose(title)}</dt><dd>${prose(text)}</dd></div>`,
  )}</dl>`
