import { Markup } from '../../core/html.ts'
import { paletteCss } from '../../core/palette.ts'

/** The style sheet of the documents that the service builds for posts. */
export const STYLE = new Markup(`${paletteCss}* { box-sizing: border-box }
body { margin: 0; background: var(--background); color: var(--text); font: 1.0625rem/1.6 var(--font) }
.post { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: anywhere }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.5em 0 .5em }
.post > :first-child { margin-top: 0 }
a { color: var(--link) }
img { max-width: 100%; height: auto }
pre, code { font-family: var(--mono); font-size: .9375em }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem }
blockquote { margin: 1em 0; padding-left: 1rem; border-left: .25rem solid var(--line); color: var(--muted) }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .375rem .75rem; border: 1px solid var(--line); text-align: left }
.align-center { text-align: center }
.align-right { text-align: right }
hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0 }
.said { white-space: pre-wrap }
.card { display: block; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; text-decoration: none }
.card strong { display: block; color: var(--text) }
.card span { color: var(--muted) }
`)
