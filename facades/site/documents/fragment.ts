import { createHash } from 'node:crypto'
import { Markup } from '../../../routers/core/html.ts'

/**
 * Hands the fragment of the address on to the frame, when the document opens and when it changes. The server never
 * hears of fragments. Replaced, so that the frame's steps are not added to those of the window.
 */
const CODE = `const frame = document.querySelector('iframe')
const base = frame.src
const pass = () => frame.contentWindow.location.replace(base + location.hash)
if (location.hash) pass()
addEventListener('hashchange', pass)`

export const passFragmentOn = new Markup(`<script>${CODE}</script>`)

/** The only script that a policy lets run with this as its `script-src`. */
export const FRAGMENT_SCRIPT = `'sha256-${createHash('sha256').update(CODE).digest('base64')}'`
