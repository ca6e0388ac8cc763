import sharp from 'sharp'
import { limits } from '../rules.ts'

/** What every PNG begins with. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * A PNG made anew from an image's pixels, so that nothing else in it survives (contract: "Profile rules", 4).
 *
 * @returns the new PNG, or in words what is wrong with the one that was sent
 */
export const rebuildIcon = async (png: Buffer): Promise<{ png: Buffer } | { fault: string }> => {
  if (png.length > limits.iconBytes) return { fault: `must have at most ${limits.iconBytes} bytes` }
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return { fault: 'must be a PNG image' }
  const side = limits.iconSide
  try {
    const image = sharp(png, { failOn: 'warning', limitInputPixels: side * side })
    const { format, width, height } = await image.metadata()
    if (format !== 'png') return { fault: 'must be a PNG image' }
    if (width !== side || height !== side)
      return { fault: `must be exactly ${side} by ${side} pixels, and is ${width} by ${height}` }
    return { png: await image.toColourspace('srgb').png({ compressionLevel: 9 }).toBuffer() }
  } catch (error) {
    return sizeOf(png) === null
      ? { fault: 'is not a complete PNG image' }
      : { fault: `is not a PNG of ${side} by ${side} pixels that can be read: ${firstLine(error)}` }
  }
}

/** Width and height from the header, where there is one. */
const sizeOf = (png: Buffer) =>
  png.length >= 24 ? { width: png.readUInt32BE(16), height: png.readUInt32BE(20) } : null

const firstLine = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : 'unreadable')
