/** One kind of error, the same in every facade. */
export interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** Short and fixed; details of a request go into `detail`. */
  title: string
  /** For the API reference: when the error happens and how to fix it. */
  explanation: string
}
