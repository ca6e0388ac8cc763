/** More pages are waiting for evaluation than can be answered in good time; come again later. */
export class RendererBusyError extends Error {
  readonly retryAfterSeconds = 2

  constructor(message = 'Too many pages are waiting for evaluation.') {
    super(message)
    this.name = 'RendererBusyError'
  }
}
