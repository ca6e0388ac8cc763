import type { Addresses } from '../../routers/addresses.ts'

/** The first page of the main door: what this is, and where to go. */
export const home = ({ apiRoot, docsUrl }: Addresses): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Space Site</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/admin/screen.css">
</head>
<body>
<main>
<h1>Space Site</h1>
<p>Websites made of Liquid pages, data and files.</p>
<ul>
<li><a href="${apiRoot}/admin">The screen</a>, to sign in and run spaces</li>
<li><a href="${docsUrl}">The reference</a> of the APIs under <code>${apiRoot}/v1</code></li>
</ul>
</main>
</body>
</html>
`
