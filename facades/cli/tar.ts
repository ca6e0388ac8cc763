import { gzipSync } from 'node:zlib'

const BLOCK = 512

/** A time for all files, because the package must not depend on when it is built: npm uses this one too. */
const TIME = Date.UTC(1985, 9, 26, 8, 15) / 1000

const octal = (number: number, length: number) => `${number.toString(8).padStart(length - 1, '0')}\0`

const header = (path: string, size: number, mode: number): Buffer => {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for a tar archive: ${path}`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(TIME, 12), 100)
  // The checksum is calculated with spaces in its place.
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)} `, 148)
  return block
}

/**
 * Packs files as npm packages are packed. The bytes depend only on the files.
 *
 * @param files the contents by path; a path in `executable` can be run as a program
 */
export const packTarball = (
  files: ReadonlyMap<string, Uint8Array>,
  executable: ReadonlySet<string>,
): Buffer => {
  const blocks: Uint8Array[] = []
  for (const [path, bytes] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    blocks.push(header(`package/${path}`, bytes.length, executable.has(path) ? 0o755 : 0o644), bytes)
    blocks.push(Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK))
  }
  const tarball = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  // The header of gzip names the operating system; 255 is an unknown one.
  tarball[9] = 255
  return tarball
}
