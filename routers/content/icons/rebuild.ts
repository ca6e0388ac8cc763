import { limits } from '../../api/rules.ts'
import { faultOfIcon, INCOMPLETE, SIGNATURE } from './png-header.ts'

/**
 * Re-encodes an image from its pixels, so that no metadata survives (contract: "Profile rules", 4). The result is in
 * sRGB with 8 bits per sample, not interlaced, with only the first frame of an animation.
 *
 * @returns the new PNG, or a description of what is wrong with the image
 */
export const rebuildIcon = async (png: Buffer): Promise<{ png: Buffer } | { fault: string }> => {
  // Check the size before decoding, so that huge images are refused early.
  const fault = faultOfIcon(png)
  if (fault !== undefined) return { fault }
  const side = limits.iconSide
  try {
    // Load the library when it is first needed, because loading it slows the start of the process.
    const { default: sharp } = await import('sharp')
    const image = sharp(png, { failOn: 'warning', limitInputPixels: side * side })
    const encoded = await image.toColorspace('srgb').png({ compressionLevel: 9 }).toBuffer()
    return { png: withoutMetadata(encoded) }
  } catch {
    return { fault: INCOMPLETE }
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
