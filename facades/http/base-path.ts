/**
 * Returns the path of the main site's public URL, without a trailing slash. It is empty unless a proxy serves the main
 * site below a path.
 */
export const basePath = (apiRoot: string): string => new URL(apiRoot).pathname.replace(/\/$/, '')
