/** Characters of the longest subdomain that `limits.subdomain` lets pass. */
const MAX = 30

/** A subdomain that goes with a name; empty where the name has no letters or digits that one can have. */
export const suggestSubdomain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX)
    .replace(/^-+|-+$/g, '')
