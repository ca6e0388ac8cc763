import { html } from '../../../routers/api/html.ts'
import { MARK_ATTRIBUTE } from '../../../routers/api/renderer.ts'
import { inlineScript } from '../../http/page/inline-script.ts'

/** The document's own script. */
export const receiverScript = inlineScript(new URL('../receiver.js', import.meta.url))

/**
 * The document on a preview's origin. It is empty until the dashboard sends it a draft by message. The document uses
 * neither the shared shell nor its colors, because the draft covers or replaces everything.
 *
 * @param dashboard the only origin that the document accepts messages from
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
<script data-dashboard="${dashboard}" data-mode="${mode}" data-mark="${MARK_ATTRIBUTE}">${receiverScript.code}</script>
</body>
</html>
`.text
