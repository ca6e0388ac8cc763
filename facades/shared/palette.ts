// The dashboard imports the palette from here, because it must not import most modules of `routers`.
export { fonts, palette, typeface } from '../../routers/api/palette.ts'
