import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/api/html.ts'

/** Returns a decorative picture from `facades/shared/illustrations`, in the colors of the palette. */
export const illustration = (name: string): Markup =>
  html`<div class="illustration">${new Markup(readFileSync(new URL(`../../shared/illustrations/${name}.svg`, import.meta.url), 'utf8'))}</div>`
