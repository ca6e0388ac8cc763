// The dashboard reaches the cookie through this file; it may not import the rest of the routers.
export { COLOR_SCHEME_COOKIE, COLOR_SCHEMES } from '../../routers/core/color-scheme.ts'
