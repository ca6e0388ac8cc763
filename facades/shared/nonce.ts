/** Placeholder in the built dashboard document. Each response replaces it with a nonce for styles that scripts add. */
export const NONCE = 'nonce-of-this-response'
