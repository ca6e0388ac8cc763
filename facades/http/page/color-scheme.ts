import { parseCookie } from 'cookie'
import type { Request } from 'express'
import { COLOR_SCHEME_COOKIE, COLOR_SCHEMES } from '../../../routers/api/palette.ts'

type ColorScheme = (typeof COLOR_SCHEMES)[number]

/** Returns the color scheme that the person chose in the dashboard, or undefined to follow the system. */
export const chosenColorScheme = (req: Pick<Request, 'headers'>): ColorScheme | undefined => {
  const chosen = parseCookie(req.headers.cookie ?? '')[COLOR_SCHEME_COOKIE]
  return COLOR_SCHEMES.find(scheme => scheme === chosen)
}

/** The attributes of the `meta` element that lets a document follow the color scheme of the system. */
const ANY_COLOR_SCHEME = 'name="color-scheme" content="light dark"'

/** The attribute of a picture that is shown only in dark mode. */
const DARK_MEDIA = 'media="(prefers-color-scheme: dark)"'

/**
 * Returns a document of the main site in a color scheme.
 *
 * @param html a document that follows the color scheme of the system
 * @param scheme as returned by `chosenColorScheme`
 */
export const inColorScheme = (html: string, scheme: ColorScheme | undefined): string =>
  scheme === undefined
    ? html
    : html
        .replace('<html lang="en">', `<html lang="en" data-color-scheme="${scheme}">`)
        .replace(ANY_COLOR_SCHEME, `name="color-scheme" content="${scheme}"`)
        .replaceAll(DARK_MEDIA, `media="${scheme === 'dark' ? 'all' : 'not all'}"`)

/** Lets a style sheet follow the color scheme that `inColorScheme` wrote into the document. */
export const COLOR_SCHEME_CSS = COLOR_SCHEMES.map(
  scheme => `:root[data-color-scheme=${scheme}]{color-scheme:${scheme}}`,
).join('')
