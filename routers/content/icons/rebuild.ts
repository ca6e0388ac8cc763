import { limits } from '../../api/rules.ts'

/** The first bytes of every PNG. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Offsets of the first chunk's type, width and height. */
const TYPE = 12
const WIDTH = 16
const HEIGHT = 20
const HEADER_END = 33

const INCOMPLETE = { fault: 'is not a complete, undamaged PNG image' }

/**
 * Re-encodes an image from its pixels, so that no metadata survives (contract: "Profile rules", 4). The result is in
 * sRGB with 8 bits per sample, not interlaced, with only the first frame of an animation.
 *
 * @returns the new PNG, or a description of what is wrong with the image
 */
export const rebuildIcon = async (png: Buffer): Promise<{ png: Buffer } | { fault: string }> => {
  if (png.length > limits.iconBytes) return { fault: `must have at most ${limits.iconBytes} bytes` }
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return { fault: 'must be a PNG image' }
  const size = sizeOf(png)
  if (!size) return INCOMPLETE
  const side = limits.iconSide
  // Check the size before decoding, so that huge images are refused early.
  if (size.width !== side || size.height !== side)
    return { fault: `must be exactly ${side} by ${side} pixels, but is ${size.width} by ${size.height}` }
  try {
    // Load the library when it is first needed, because loading it slows the start of the process.
    const { default: sharp } = await import('sharp')
    const image = sharp(png, { failOn: 'warning', limitInputPixels: side * side })
    const encoded = await image.toColorspace('srgb').png({ compressionLevel: 9 }).toBuffer()
    return { png: withoutMetadata(encoded) }
  } catch {
    return INCOMPLETE
  }
}

/**
 * PNG chunks that are kept: header, palette, transparency, pixels and end. sharp also writes the pixel density (pHYs),
 * which is dropped.
 */
const PIXEL_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** Drops all chunks of a valid PNG except `PIXEL_CHUNKS`. */
const withoutMetadata = (png: Buffer): Buffer => {
  const kept: Buffer[] = [SIGNATURE]
  for (let at = SIGNATURE.length; at < png.length; ) {
    // A chunk has a length, a type, data and a checksum.
    const end = at + 12 + png.readUInt32BE(at)
    if (PIXEL_CHUNKS.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

/** Returns the width and height in the header, or null if there is no header. */
const sizeOf = (png: Buffer) =>
  png.length >= HEADER_END && png.toString('latin1', TYPE, WIDTH) === 'IHDR'
    ? { width: png.readUInt32BE(WIDTH), height: png.readUInt32BE(HEIGHT) }
    : null
