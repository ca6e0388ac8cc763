import parse from 'ua-parser-js'

/** Systems whose names people don't use. */
const SYSTEMS: Record<string, string> = { 'Mac OS': 'macOS', 'Chromium OS': 'ChromeOS' }

/**
 * A browser in plain words, such as "Firefox on Windows".
 *
 * @param userAgent what it said of itself, if anything
 * @returns null when that names neither a browser nor a system
 */
export const describeBrowser = (userAgent: string | null): string | null => {
  if (userAgent === null) return null
  const { browser, os, device } = parse(userAgent)
  const name = browser.name?.replace(/^Mobile | (Mobile|WebView|Headless)$/g, '')
  // An iPhone or iPad is better known than its system; of other devices the system is.
  const system = device.vendor === 'Apple' && device.model?.startsWith('iP') ? device.model : os.name
  const place = system === undefined ? undefined : (SYSTEMS[system] ?? system)
  if (name && place) return `${name} on ${place}`
  return name ?? place ?? null
}
