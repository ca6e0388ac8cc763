import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { sendText } from '../../http/send-text.ts'
import { headers } from '../headers.ts'

/**
 * Path of the script that reports a page's title, address, size and scroll position to the window around its frame.
 * Sites and page origins both serve it, so that `/_page.js` works in every scripted page.
 */
export const PAGE_SCRIPT_PATH = '/_page.js'

const bytes = readFileSync(new URL('../page.js', import.meta.url))
const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Sends the script. */
export const sendPageScript = (res: ServerResponse): void =>
  sendText(res, bytes, { ...headers.script, ETag: etag, 'Content-Type': 'text/javascript; charset=utf-8' })
