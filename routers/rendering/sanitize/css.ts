/**
 * Style sheets and style attributes of static pages. CSS runs no scripts in current browsers. The functions here keep a
 * style sheet from closing its own element, and remove addresses that are not allowed.
 */
import { styleResource } from './addresses.ts'

const comment = String.raw`\/\*[\s\S]*?(?:\*\/|$)`
const doubleQuoted = String.raw`"(?:\\[\s\S]|[^"\\\n\r\f])*"?`
const singleQuoted = String.raw`'(?:\\[\s\S]|[^'\\\n\r\f])*'?`
const string = `(?:${doubleQuoted}|${singleQuoted})`
const address = String.raw`(?:url|src)\(\s*(?:${string}|(?:\\[\s\S]|[^"'()\\])*)\s*\)?`
const imported = String.raw`@import\s*${string}`
const token = new RegExp(`${comment}|${address}|${imported}|${string}|<!--|<(?=[/!?a-z])`, 'gi')

/** Decodes CSS escapes such as `\6a ` and `\:`. */
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

/** The address inside `url(…)` or after `@import`. */
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

/** Neutralizes `<` where it could be read as markup, without changing the meaning of the style sheet. */
function withoutMarkup(found: string): string {
  if (found === '<!--') return ' '
  if (found === '<') return '< '
  // The text of a comment does not matter. In strings and addresses, CSS reads the escape as `<`.
  return found.replace(/<(?=[/!?a-z])/gi, found.startsWith('/*') ? '< ' : '\\3c ')
}

/** Sanitizes the value of a `style` attribute: empties addresses that are not allowed. */
export function styleAttribute(value: string): string {
  return value.replace(token, withoutBadAddresses)
}

/** Returns whether a style sheet contains an address that is not allowed. `styleSheet` empties such addresses. */
export function hasBadAddress(value: string): boolean {
  return styleAttribute(value) !== value
}

/**
 * Sanitizes the text of a `<style>` element: empties addresses that are not allowed, and leaves no `<` that could begin a
 * tag or a comment, even for a client that reads the style sheet as markup.
 */
export function styleSheet(value: string): string {
  return value.replace(token, found => withoutMarkup(withoutBadAddresses(found)))
}
