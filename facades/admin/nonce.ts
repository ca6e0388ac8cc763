/** What stands in the built document where each answer has a nonce of its own, for the styles that scripts add. */
export const NONCE = 'nonce-of-this-answer'
