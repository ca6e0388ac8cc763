import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'
import { COLOR_SCHEME_COOKIE } from '../shared/color-scheme-cookie.ts'

/** The longest lifetime that browsers allow, in seconds. Every start of the dashboard begins a new one. */
const LIFETIME = 400 * 24 * 60 * 60

/** Sets the cookie from which the service colors the first paint and the pages of the main site, or deletes it for `auto`. */
const tellService = (scheme: MantineColorScheme) => {
  const { protocol, pathname } = new URL('..', document.baseURI)
  const attributes = [
    `${COLOR_SCHEME_COOKIE}=${scheme}`,
    // Without the slash, so that the cookie is also sent to the address of the main site itself.
    `Path=${pathname.replace(/(.)\/$/, '$1')}`,
    `Max-Age=${scheme === 'auto' ? 0 : LIFETIME}`,
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the service has no https
  document.cookie = attributes.join('; ')
}

const stored = localStorageColorSchemeManager()

/** Keeps the chosen color scheme in `localStorage`, and tells it to the service. */
export const colorSchemeManager: typeof stored = {
  ...stored,
  set: scheme => {
    stored.set(scheme)
    tellService(scheme)
  },
  clear: () => {
    stored.clear()
    tellService('auto')
  },
}

// Set the cookie again, because it can be missing or differ from `localStorage`: it expires, and a browser can delete
// each of them without the other.
tellService(stored.get('auto'))
