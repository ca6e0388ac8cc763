/** A picture in the files of a space. */
export interface StoredPicture {
  url: string
  name: string
  /** Its description for readers who can’t see it; undefined if none was asked for. */
  alt?: string
}
