import { html, type Markup } from '../../../routers/core/html.ts'

/** A public page of the main door. It works without JavaScript, and has none. */
export const layout = ({ title, head, main }: { title: string; head?: Markup; main: Markup }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/_public.css">
${head ?? null}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">Space Site</a>
<nav aria-label="Service"><a href="/docs">Reference</a> <a href="/admin">Your spaces</a></nav>
</header>
<main id="main">
${main}
</main>
</body>
</html>
`.text
