// The dashboard reaches the palette through this file; it may not import the rest of the routers.
export { fonts, palette, typeface } from '../../routers/core/palette.ts'
