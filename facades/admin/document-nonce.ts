/** The nonce that the document came with: styles that scripts add are let in by it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Dialogs keep the view behind them from scrolling by a style, whose nonce they look for under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })
