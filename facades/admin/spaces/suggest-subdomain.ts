/** Maximum length of a subdomain, as in `limits.subdomain`. */
const MAX_LENGTH = 30

/** Derives a subdomain from a space name. Empty if the name has no letters or digits that a subdomain allows. */
export const suggestSubdomain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
