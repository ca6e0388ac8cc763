import type { Token } from 'liquidjs'

/** What is being rendered right now, so that the error of an interrupted template has a position. */
export const progress: { token: Token | undefined } = { token: undefined }
