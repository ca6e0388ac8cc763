/**
 * Decodes base64 without padding into `target`, and validates the digits. Decoding with Node.js is many times faster
 * than checking with a regular expression. Node.js skips invalid characters, so the number of bytes shows whether there
 * were any.
 *
 * @param digits the base64 text; its length must be a multiple of 4
 * @returns the number of bytes written, or null if a character is not in the standard alphabet
 */
export const writeBase64 = (target: Buffer, digits: string, offset = 0): number | null => {
  const written = target.write(digits, offset, 'base64')
  const isComplete = written === (digits.length / 4) * 3
  // Node.js also decodes the alphabet for URLs.
  return isComplete && !digits.includes('-') && !digits.includes('_') ? written : null
}
