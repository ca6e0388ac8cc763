/** The nonce of the loaded document. The content security policy requires it on styles added by scripts. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Mantine's scroll lock reads the nonce of its style from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce })
