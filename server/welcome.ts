import { lookup } from 'node:dns/promises'
import { addresses } from '../routers/core/addresses.ts'
import type { Demo } from './demo/demo.ts'
import type { Settings } from './settings.ts'

/** What there is to tell beside the addresses. */
interface News {
  demo: Demo | null
  /** The link with which the first account is made, while there is none. */
  setUpLink: string | null
  unresolved: string[]
}

/** What a start tells the person before the terminal. It may hold secrets: it is never part of the log. */
export const welcome = (settings: Settings, { demo, setUpLink, unresolved }: News): string => {
  const { apiRoot, docsUrl } = settings
  const lines = [
    '',
    '  Space Site is up.',
    '',
    `  API        ${apiRoot}/v1`,
    `  Reference  ${docsUrl}`,
    `  Screen     ${apiRoot}/admin`,
  ]
  if (demo) lines.push(...demoLines(settings, demo))
  if (setUpLink)
    lines.push(
      '',
      '  Nobody has an account yet. Make the first one with this link (it works once, for 30 minutes;',
      '  the next start prints another):',
      '',
      `    ${setUpLink}`,
    )
  if (unresolved.length > 0)
    lines.push(
      '',
      '  This machine does not resolve names under localhost. Browsers do so by themselves;',
      '  for other programs add this line to /etc/hosts:',
      '',
      `    127.0.0.1 ${unresolved.join(' ')}`,
    )
  return `${lines.join('\n')}\n\n`
}

const demoLines = (settings: Settings, { subdomain, key, signInLink }: Demo): string[] => {
  const site = addresses(settings).site(subdomain)
  const lines = [`  Demo site  ${site}/`]
  if (signInLink)
    lines.push(
      '',
      '  Sign in as the demo account with this link (it works once, for 30 minutes):',
      '',
      `    ${signInLink}`,
    )
  if (key)
    lines.push(
      '',
      '  Make a page: paste this, then open the address it answers with.',
      '',
      `    curl -sS ${settings.apiRoot}/v1/spaces/${subdomain}/pages \\`,
      `      -H 'Authorization: Bearer ${key}' \\`,
      `      -H 'Content-Type: application/json' \\`,
      `      -d '{"slug": "hello", "html": "<h1>Hello from {{ space.name }}</h1>"}'`,
      '',
      '  The key is shown this once. Keep it, or make another one later: npm run demo:key',
    )
  else lines.push('', '  A key for the demo space: npm run demo:key')
  return lines
}

/** Names of the demo that this machine's own resolver does not know. */
export const unresolvedHosts = async (settings: Settings, demo: Demo | null): Promise<string[]> => {
  if (!demo) return []
  const { hostname } = new URL(addresses(settings).site(demo.subdomain))
  const resolves = await lookup(hostname).then(
    () => true,
    () => false,
  )
  return resolves ? [] : [hostname]
}
