import { createHash } from 'node:crypto'
import { Markup } from '../../../routers/core/html.ts'

/**
 * Passes the URL fragment on to the frame, on load and on every change: fragments never reach the server. Uses
 * `replace`, so that the frame adds no history entries.
 */
const CODE = `const frame = document.querySelector('iframe')
const base = frame.src
const pass = () => frame.contentWindow.location.replace(base + location.hash)
if (location.hash) pass()
addEventListener('hashchange', pass)`

export const forwardFragment = new Markup(`<script>${CODE}</script>`)

/** The `script-src` that allows this script only. */
export const FRAGMENT_SCRIPT = `'sha256-${createHash('sha256').update(CODE).digest('base64')}'`
