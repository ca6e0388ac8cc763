/** The service or a command cannot do its work. The message tells the operator why, and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
