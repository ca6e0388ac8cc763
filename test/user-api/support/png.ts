import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG chunk with its length and checksum. */
export const chunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(8 + body.length)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), 4 + body.length)
  return out
}

/** For each PNG color type: its code in the header, and how many samples a pixel has. */
const COLORS = {
  gray: [0, 1],
  rgb: [2, 3],
  palette: [3, 1],
  grayAlpha: [4, 2],
  rgba: [6, 4],
} as const

export interface Header {
  width?: number
  height?: number
  depth?: 1 | 8 | 16
  color?: keyof typeof COLORS
}

export const headerChunk = ({
  width = 256,
  height = 256,
  depth = 8,
  color = 'rgba',
}: Header = {}): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = depth
  data[9] = COLORS[color][0]
  return chunk('IHDR', data)
}

/** Compresses pixel data. `byteAt` returns the byte at a position in a row. */
export const pixels = (
  { width = 256, height = 256, depth = 8, color = 'rgba' }: Header = {},
  byteAt: (place: number, row: number) => number = (place, row) => place + row,
): Buffer => {
  const rowLength = Math.ceil((width * COLORS[color][1] * depth) / 8)
  const rows = Buffer.alloc(height * (rowLength + 1))
  for (let row = 0; row < height; row++)
    for (let place = 0; place < rowLength; place++)
      rows[row * (rowLength + 1) + 1 + place] = byteAt(place, row) & 255
  return deflateSync(rows)
}

/** Returns a PNG file with optional chunks before and after the pixels. */
export const pngOf = (
  header: Header = {},
  { before = [], data = pixels(header), after = [chunk('IEND')] }: Partial<Parts> = {},
): Buffer => Buffer.concat([SIGNATURE, headerChunk(header), ...before, chunk('IDAT', data), ...after])

interface Parts {
  before: Buffer[]
  data: Buffer
  after: Buffer[]
}

/** Returns the chunk types of a file in order. */
export const chunkTypes = (png: Buffer): string[] => {
  const types: string[] = []
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    types.push(png.toString('latin1', at + 4, at + 8))
  return types
}

/** Returns a zlib stream that decompresses to zeros, without building the zeros in memory. */
export const zeros = (megabytes: number): Buffer => {
  const one = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_SYNC_FLUSH })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(((megabytes * 1_000_000) % 65_521) * 65_536 + 1)
  const blocks = Array.from({ length: megabytes }, () => one)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, Buffer.from([3, 0]), checksum])
}
