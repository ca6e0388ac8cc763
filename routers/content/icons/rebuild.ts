import sharp from 'sharp'
import { limits } from '../../core/rules.ts'

/** What every PNG begins with. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Where the header has its type, its width and its height. */
const TYPE = 12
const WIDTH = 16
const HEIGHT = 20
const HEADER_END = 33

const INCOMPLETE = { fault: 'is not a complete, undamaged PNG image' }

/**
 * A PNG made anew from an image's pixels, so that nothing else in it survives (contract: "Profile rules", 4).
 * Whatever it was sent as comes out with 8 bits a sample in sRGB, not interlaced, and of an animation the first
 * picture.
 *
 * @returns the new PNG, or in words what is wrong with the one that was sent
 */
export const rebuildIcon = async (png: Buffer): Promise<{ png: Buffer } | { fault: string }> => {
  if (png.length > limits.iconBytes) return { fault: `must have at most ${limits.iconBytes} bytes` }
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return { fault: 'must be a PNG image' }
  const size = sizeOf(png)
  if (!size) return INCOMPLETE
  const side = limits.iconSide
  // Read here, so that pictures that would be huge are refused before anything of them is unpacked.
  if (size.width !== side || size.height !== side)
    return { fault: `must be exactly ${side} by ${side} pixels, and is ${size.width} by ${size.height}` }
  try {
    const image = sharp(png, { failOn: 'warning', limitInputPixels: side * side })
    return { png: await image.toColourspace('srgb').png({ compressionLevel: 9 }).toBuffer() }
  } catch {
    return INCOMPLETE
  }
}

/** Width and height as the header says; null when there is none. */
const sizeOf = (png: Buffer) =>
  png.length >= HEADER_END && png.toString('latin1', TYPE, WIDTH) === 'IHDR'
    ? { width: png.readUInt32BE(WIDTH), height: png.readUInt32BE(HEIGHT) }
    : null
