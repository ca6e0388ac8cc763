import { readFileSync } from 'node:fs'
import { Router } from 'express'

/** Nothing but what the screen itself brings along; no page may frame it. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

const asset = (name: string) => readFileSync(new URL(`../admin/${name}`, import.meta.url))

/** The screen's own files. The document is the same at each of its paths; what is in it, the script decides. */
export const screen = (): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  const files = [
    { paths: ['/admin', '/admin/sign-in', '/admin/join'], type: 'html', body: asset('index.html') },
    { paths: ['/admin/screen.js'], type: 'js', body: asset('screen.js') },
    { paths: ['/favicon.ico', '/favicon.svg'], type: 'svg', body: asset('icon.svg') },
    { paths: ['/admin/screen.css'], type: 'css', body: asset('screen.css') },
  ]
  for (const { paths, type, body } of files)
    router.get(paths, (_req, res) => void res.set(HEADERS).type(type).send(body))
  return router
}
