/** Attack: four accounts import small archives of pages that are as long as a page can be. */
import { rules } from '../../../routers/api/rules.ts'
import { rawZip } from '../../support/raw-zip.ts'
import { runAttack } from '../support/attack.ts'
import { call } from '../support/http.ts'

const manifest = Buffer.from(JSON.stringify({ format: 'space-site-space', version: 1 }))

const archiveOfPages = (count: number) =>
  rawZip([
    { name: 'manifest.json', content: manifest },
    ...Array.from({ length: count }, (_, n) => ({
      name: `pages/page-${n}.html`,
      content: Buffer.alloc(rules.page.html_max_length, `<p>${n}</p>`),
    })),
  ])

runAttack(async ({ port, from, scale, facts: cookies }) => {
  // Reading is what takes memory. Importing as many pages would take minutes on a slow machine.
  const archives = {
    previewed: archiveOfPages(1_250 * scale),
    imported: archiveOfPages(scale > 1 ? 1_250 * scale : 100),
  }
  const outcome: Record<string, number> = {}
  const send = async (name: keyof typeof archives, subdomain: string, cookie: string, query = '') => {
    const { status, text, error } = await call(port, {
      path: `/transfer/${subdomain}${query}`,
      headers: { cookie, 'content-type': 'application/zip' },
      body: archives[name],
      from,
      timeout: 600_000,
    })
    const key = `${name} ${error ?? status}`
    outcome[key] = (outcome[key] ?? 0) + 1
    return (JSON.parse(text || '{}') as { plan?: string }).plan
  }
  await Promise.all(
    Object.entries(cookies).map(async ([subdomain, cookie]) => {
      await send('previewed', subdomain, cookie)
      const plan = await send('imported', subdomain, cookie)
      await send('imported', subdomain, cookie, `?plan=${plan}`)
    }),
  )
  return outcome
})
