/** The nonce that the document came with: styles that scripts add are let in by it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
