import { html, Markup } from '../../../routers/core/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'

/** The look of all documents that the service itself writes for a site's visitors. */
const STYLE = new Markup(`
:root { color-scheme: light dark; --back: #f6f5f2; --card: #fff; --text: #23211d; --soft: #67625a; --line: #e2dfd8;
  --link: #1d5c4d; --tint: #eef5f2 }
@media (prefers-color-scheme: dark) { :root { --back: #171614; --card: #211f1c; --text: #ece8e1; --soft: #a8a196;
  --line: #38342f; --link: #8fd3bf; --tint: #24302c } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; padding: clamp(1.5rem, 6vw, 4.5rem) 1.25rem;
  background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
body.notice { display: grid; place-items: center; padding-block: 1.5rem }
main { width: 100%; max-width: 42rem; margin: 0 auto }
a { color: var(--link); text-underline-offset: .2em }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .25rem }
h1 { margin: 0; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; text-wrap: balance }
p { margin: .5rem 0 0 }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; margin-bottom: 1.75rem }
header img { width: 3.25rem; height: 3.25rem; border-radius: .8rem; display: block }
header div { flex: 1 1 12rem; min-width: 0 }
header p { margin: .25rem 0 0; color: var(--soft) }
nav { display: flex; gap: 1.25rem; font-size: .9375rem }
ul { margin: 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line);
  border-radius: 1rem; overflow: hidden }
li + li { border-top: 1px solid var(--line) }
li a { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .125rem 1.25rem;
  padding: .875rem 1.25rem; color: inherit; text-decoration: none }
li a:hover { background: var(--tint) }
li a:focus-visible { outline-offset: -2px; border-radius: 1rem }
li strong { font-weight: 600; min-width: 0 }
li small { color: var(--soft); font-size: .875rem; min-width: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: clamp(1.5rem, 6vw, 2.5rem) }
.notice main { max-width: 34rem }
.soft { color: var(--soft) }
.ways { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; margin-top: 1.5rem }
.button { display: inline-block; padding: .5rem 1.125rem; border-radius: .625rem; background: var(--link);
  color: var(--card); font-weight: 600; text-decoration: none }
.button:hover { opacity: .9 }
`)

interface Shell {
  title: string
  /** More for the head. */
  head?: Markup
  /** A class of the body; `notice` stands in the middle of the window. */
  body?: 'notice'
  main: Markup
}

/** A whole document in the service's own look. */
export const shell = ({ title, head, body, main }: Shell): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head ?? null}
<style>${STYLE}</style>
</head>
<body${body ? html` class="${body}"` : null}>
<main>
${main}
</main>
</body>
</html>
`.text

/** The address of a site's icon on the site itself; another icon has another. */
export const iconPath = (iconId: string): string => `/favicon.ico?v=${iconId}`

/** What names the icon of a site; nothing when it has none. */
export const iconLink = (site: Site): Markup | null =>
  site.iconId ? html`<link rel="icon" type="image/png" href="${iconPath(site.iconId)}">` : null

/** What a page is called that says no title of its own: `weekly-todo` becomes "Weekly todo". */
export const titleOf = (slug: string): string => {
  const words = slug.replace(/-+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
