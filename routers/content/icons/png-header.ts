import { limits } from '../../api/rules.ts'

/** The first bytes of every PNG. */
export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Offsets of the first chunk's type, width and height. */
const TYPE = 12
const WIDTH = 16
const HEIGHT = 20
const HEADER_END = 33

/** What is wrong with an image that begins like a PNG, but is none. */
export const INCOMPLETE = 'is not a complete, undamaged PNG image'

/** Returns what is wrong with an icon, as far as its size and its header tell; undefined if nothing is. */
export const faultOfIcon = (bytes: Uint8Array): string | undefined => {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (png.length > limits.iconBytes) return `must have at most ${limits.iconBytes} bytes`
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'must be a PNG image'
  if (png.length < HEADER_END || png.toString('latin1', TYPE, WIDTH) !== 'IHDR') return INCOMPLETE
  const side = limits.iconSide
  const [width, height] = [png.readUInt32BE(WIDTH), png.readUInt32BE(HEIGHT)]
  return width === side && height === side
    ? undefined
    : `must be exactly ${side} by ${side} pixels, but is ${width} by ${height}`
}
