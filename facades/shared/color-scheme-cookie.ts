// The dashboard imports these from here, because it must not import most modules of `routers`.
export { COLOR_SCHEME_COOKIE, COLOR_SCHEMES } from '../../routers/api/palette.ts'
