/** Length at which collected text is flattened, in UTF-16 units. */
const CHUNK = 16_384

/**
 * Text that is collected piece by piece. The JavaScript engine represents a long concatenation as a tree of its pieces;
 * garbage collection then copies the tree again and again. So the text is flattened from time to time.
 */
export class FlatText {
  private flat = ''
  private pending = ''
  protected firstUnit = 0

  add(piece: string): void {
    this.pending += piece
    if (this.pending.length < CHUNK) return
    // Reading a character flattens a concatenation; the result is kept so that the read is not optimized away.
    this.firstUnit = this.pending.charCodeAt(0)
    this.flat += this.pending
    this.pending = ''
  }

  toString(): string {
    return this.flat + this.pending
  }
}
