import { parse } from 'bowser'
import { shownText } from '../../api/shown-text.ts'

/**
 * Names a browser and its system, such as "Firefox on Windows".
 *
 * @param userAgent the `User-Agent` header, if the browser sent one
 * @returns null when the header names neither a browser nor a system
 */
export const describeBrowser = (userAgent: string | null): string | null => {
  const text = shownText(userAgent ?? '')
  // The parser throws on an empty string.
  if (text === '') return null
  const { browser, os, platform } = parse(text)
  const name = browser.name?.replace(/ for Android$/, '')
  // Name an iPhone or iPad by its model, and any other device by its system, because that is how people know them.
  const system = platform.model?.startsWith('iP') ? platform.model : os.name?.replace('Chrome OS', 'ChromeOS')
  if (name && system) return `${name} on ${system}`
  return name || system || null
}
