import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/core/html.ts'

const SCRIPT = readFileSync(new URL('../receiver.js', import.meta.url), 'utf8')

/** What a policy lets the document's own script in by. */
export const RECEIVER_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/**
 * The document of a preview's origin. It holds nothing: what it shows, the screen hands it by a message.
 *
 * @param screen the only origin that it takes anything from
 */
export const receiver = (screen: string, mode: 'scripted' | 'static'): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview</title>
<style>html, body { margin: 0; height: 100% } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
</head>
<body>
<script data-screen="${screen}" data-mode="${mode}">${new Markup(SCRIPT)}</script>
</body>
</html>
`.text
