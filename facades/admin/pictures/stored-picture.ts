/** A picture in the files of a space. */
export interface StoredPicture {
  url: string
  name: string
}
