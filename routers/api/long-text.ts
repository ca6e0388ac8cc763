/**
 * A field's value that is too long to be handled as a string: every step would copy the string and block other
 * requests. Only the content of a file can be this long.
 */
export class LongText {
  /** The text in UTF-8. Decoding the text overwrites these bytes. */
  readonly bytes: Buffer
  /** Whether the text has no lone surrogate, which UTF-8 cannot express. */
  readonly isWellFormed: boolean

  constructor(bytes: Buffer, isWellFormed: boolean) {
    this.bytes = bytes
    this.isWellFormed = isWellFormed
  }
}

/**
 * Decodes base64 without padding into `target`, and checks that all digits are valid. Node.js skips invalid characters
 * when it decodes. So if there are invalid characters, the result has too few bytes. Counting the bytes is many times
 * faster than checking the digits with a regular expression.
 *
 * @param digits the base64 text; its length must be a multiple of 4
 * @returns the number of bytes written, or null if a character is not in the standard alphabet
 */
export const writeBase64 = (target: Buffer, digits: string, offset = 0): number | null => {
  const written = target.write(digits, offset, 'base64')
  const isComplete = written === (digits.length / 4) * 3
  // Node.js also decodes base64url, which uses `-` and `_`. These characters are not in the standard alphabet.
  return isComplete && !digits.includes('-') && !digits.includes('_') ? written : null
}
