import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/core/html.ts'

const SCRIPT = readFileSync(new URL('../receiver.js', import.meta.url), 'utf8')

/** The `script-src` that allows the document's own script. */
export const RECEIVER_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/**
 * The document on a preview's origin. It is empty until the dashboard sends it a draft by message.
 *
 * @param dashboard the only origin that it accepts messages from
 */
export const receiver = (dashboard: string, mode: 'scripted' | 'static'): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview</title>
<style>html, body { margin: 0; height: 100% } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
</head>
<body>
<script data-dashboard="${dashboard}" data-mode="${mode}">${new Markup(SCRIPT)}</script>
</body>
</html>
`.text
