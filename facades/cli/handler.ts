import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Router } from 'express'
import { sendBytes } from '../http/send-text.ts'

const TARBALL = new URL('dist/space-site.tgz', import.meta.url)

/** How long clients may keep the package of a version, whose bytes never change: one year, in seconds. */
const YEAR = 31_536_000

/**
 * Serves the package with the command `space`: the current one at `/space-site.tgz`, for `npx`, and under the name with
 * its version for `npm install`.
 *
 * @param version the version of the service
 */
export const packageHandler = (version: string): Router => {
  let reading: Promise<{ bytes: Buffer; etag: string }> | undefined
  const read = async () => {
    const bytes = await readFile(TARBALL)
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
  }
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, caching] of [
    ['/space-site.tgz', 'no-cache'],
    [`/space-site-${version}.tgz`, `public, max-age=${YEAR}, immutable`],
  ] as const) {
    router.get(path, async (_req, res) => {
      reading ??= read()
      reading.catch(() => {
        reading = undefined
      })
      const { bytes, etag } = await reading
      sendBytes(res, bytes, {
        'Content-Type': 'application/gzip',
        'Content-Disposition': `attachment; filename="space-site-${version}.tgz"`,
        'Cache-Control': caching,
        'X-Content-Type-Options': 'nosniff',
        ETag: etag,
      })
    })
    router.all(path, (_req, res) => void res.status(405).set('Allow', 'GET, HEAD').end())
  }
  // An instance has only the package of its own version, because that is the one that fits its service.
  router.get(/^\/space-site-[\w.+-]+\.tgz$/, (_req, res) => {
    const text = `This service has version ${version}. Install space-site-${version}.tgz from the same address.\n`
    res.status(404).type('txt').set('Cache-Control', 'no-store').send(text)
  })
  return router
}
