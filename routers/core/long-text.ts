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
