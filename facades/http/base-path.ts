/** The path of the public address, without a trailing slash: empty unless a proxy serves the main site below a path. */
export const basePath = (apiRoot: string): string => new URL(apiRoot).pathname.replace(/\/$/, '')
