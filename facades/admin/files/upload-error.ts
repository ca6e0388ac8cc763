import { failureOf } from '../feedback/failure.ts'
import { UnreadableFileError } from './read-base64.ts'

/** Returns a message that says why an upload failed and what to do. */
export const uploadErrorMessage = (error: unknown): string => {
  if (error instanceof UnreadableFileError)
    return 'The file could not be read because it was moved or changed. Choose it again.'
  const failure = failureOf(error)
  switch (failure.kind) {
    case 'unreachable':
      return navigator.onLine
        ? 'The connection was lost. The file is kept here; try again.'
        : 'You are offline. The file is kept here; try again when you are connected.'
    case 'signed-out':
      return 'Your session has ended. Sign in again in another tab, then try again here.'
    case 'invalid':
      return failure.fields.map(({ message }) => message).join(' ') || failure.title
    case 'not-found':
    case 'refused':
    case 'conflict':
    case 'busy':
      return [failure.title, failure.detail].filter(Boolean).join('. ')
    case 'fault':
      return `Something went wrong on our side. The file is kept here; try again. ${failure.detail ?? ''}`
  }
}
