import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'
import { COLOR_SCHEME_COOKIE } from '../shared/dashboard.ts'

/** Lifetime of the cookie in seconds: the longest that browsers allow. Every start of the dashboard renews it. */
const LIFETIME = 400 * 24 * 60 * 60

/**
 * Sets the cookie that tells the service how to color the first paint and the pages of the main site. Deletes the
 * cookie for `auto`.
 */
const tellService = (scheme: MantineColorScheme) => {
  const { protocol, pathname } = new URL('..', document.baseURI)
  const attributes = [
    `${COLOR_SCHEME_COOKIE}=${scheme}`,
    // Without the trailing slash, so that the cookie is also sent to the address of the main site itself.
    `Path=${pathname.replace(/(.)\/$/, '$1')}`,
    `Max-Age=${scheme === 'auto' ? 0 : LIFETIME}`,
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ]
  // biome-ignore lint/suspicious/noDocumentCookie: browsers offer the Cookie Store API only over https
  document.cookie = attributes.join('; ')
}

const stored = localStorageColorSchemeManager()

/** Stores the chosen color scheme in `localStorage`, and in a cookie for the service. */
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

// Set the cookie again, so that it agrees with `localStorage`. The cookie may have expired. Also, a browser can delete
// only the cookie, or only the entry in `localStorage`.
tellService(stored.get('auto'))
