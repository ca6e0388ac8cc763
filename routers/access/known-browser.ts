import { createHash } from 'node:crypto'

/** How long a browser is remembered after a sign-in, in ms. */
export const BROWSER_LIFETIME = 365 * 24 * 60 * 60 * 1000

/** How many browsers of an account are remembered. */
export const MAX_BROWSERS = 50

/** Returns the hash of a browser's cookie. Only the hash is stored. */
export const hashBrowser = (cookie: string): Buffer => createHash('sha256').update(cookie).digest()
