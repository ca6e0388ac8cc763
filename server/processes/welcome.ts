import { lookup } from 'node:dns/promises'
import { addresses } from '../../routers/api/addresses.ts'
import type { Demo } from '../demo/demo.ts'
import type { Settings } from '../settings/settings.ts'

/** What the welcome text shows in addition to the addresses. */
interface Details {
  demo: Demo | null
  /** A link that creates the first account; null once an account exists. */
  setUpLink: string | null
  /** Host names that programs on this machine cannot resolve. */
  unresolved: string[]
}

/** The text printed at startup. It may contain secrets, so it goes to standard output and never into the log. */
export const welcome = (settings: Settings, { demo, setUpLink, unresolved }: Details): string => {
  const { apiRoot, docsUrl } = settings
  const lines = [
    '',
    '  Space Site is running.',
    '',
    `  Dashboard  ${apiRoot}/admin`,
    `  API        ${apiRoot}/v1`,
    `  Reference  ${docsUrl}`,
  ]
  if (demo) lines.push(...demoLines(settings, demo))
  if (setUpLink)
    lines.push(
      '',
      '  There are no accounts yet. Create the first one with this link (works once, for 30 minutes;',
      '  each start prints a new one):',
      '',
      `    ${setUpLink}`,
    )
  if (unresolved.length > 0)
    lines.push(
      '',
      '  This machine does not resolve names under localhost. Browsers resolve them anyway;',
      '  for other programs, add this line to /etc/hosts:',
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
      '  Sign in as the demo account with this link (works once, for 30 minutes):',
      '',
      `    ${signInLink}`,
    )
  if (key)
    lines.push(
      '',
      '  To create a page, run this command and open the "url" in its response:',
      '',
      `    curl -sS ${settings.apiRoot}/v1/spaces/${subdomain}/pages \\`,
      `      -H 'Authorization: Bearer ${key}' \\`,
      `      -H 'Content-Type: application/json' \\`,
      `      -d '{"slug": "hello", "html": "<h1>Hello from {{ space.name }}</h1>"}'`,
      '',
      '  This key is not shown again. To create another one: ./space-site demo-key',
    )
  else lines.push('', '  To create a key for the demo space: ./space-site demo-key')
  return lines
}

/** Returns the demo's host names that this machine cannot resolve. */
export const unresolvedHosts = async (settings: Settings, demo: Demo | null): Promise<string[]> => {
  if (!demo) return []
  const { hostname } = new URL(addresses(settings).site(demo.subdomain))
  const resolves = await lookup(hostname).then(
    () => true,
    () => false,
  )
  return resolves ? [] : [hostname]
}
