/**
 * Style sheets and style attributes of a static page. CSS runs no script in any browser of today; what is left to do is
 * to keep a sheet from ending its own element, and to take out addresses that are refused everywhere else.
 */
import { styleResource } from './addresses.ts'

const comment = String.raw`\/\*[\s\S]*?(?:\*\/|$)`
const doubleQuoted = String.raw`"(?:\\[\s\S]|[^"\\\n\r\f])*"?`
const singleQuoted = String.raw`'(?:\\[\s\S]|[^'\\\n\r\f])*'?`
const string = `(?:${doubleQuoted}|${singleQuoted})`
const address = String.raw`(?:url|src)\(\s*(?:${string}|(?:\\[\s\S]|[^"'()\\])*)\s*\)?`
const imported = String.raw`@import\s*${string}`
const token = new RegExp(`${comment}|${address}|${imported}|${string}|<!--|<(?=[/!?a-z])`, 'gi')

/** What a CSS escape such as `\6a ` or `\:` stands for. */
function unescapeCss(value: string): string {
  return value.replace(
    /\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi,
    (_, hex: string | undefined, char: string | undefined) => {
      if (hex === undefined) return char === '\n' || char === undefined ? '' : char
      const code = Number.parseInt(hex, 16)
      return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}

/** The address inside `url(…)` or behind `@import`. */
function addressIn(reference: string): string {
  const inner = reference
    .replace(/^(?:(?:url|src)\(|@import)\s*/i, '')
    .replace(/\)$/, '')
    .trim()
  return unescapeCss(inner.replace(/^["']/, '').replace(/["']$/, ''))
}

function withoutBadAddresses(found: string): string {
  if (/^(?:url|src)\(/i.test(found)) return styleResource(addressIn(found)) === undefined ? 'url()' : found
  if (/^@import/i.test(found)) return styleResource(addressIn(found)) === undefined ? '@import ""' : found
  return found
}

/** Makes `<` harmless where markup could be read into it, without changing what the sheet says. */
function withoutMarkup(found: string): string {
  if (found === '<!--') return ' '
  if (found === '<') return '< '
  // In a comment the meaning is free; in strings and addresses the escape stands for the same character.
  return found.replace(/<(?=[/!?a-z])/gi, found.startsWith('/*') ? '< ' : '\\3c ')
}

/** The value of a `style` attribute, with refused addresses emptied. */
export function styleAttribute(value: string): string {
  return value.replace(token, withoutBadAddresses)
}

/**
 * The text of a `<style>` element, with refused addresses emptied and no `<` left that could begin a tag or a comment,
 * not even for a reader that takes the sheet for markup.
 */
export function styleSheet(value: string): string {
  return value.replace(token, found => withoutMarkup(withoutBadAddresses(found)))
}
