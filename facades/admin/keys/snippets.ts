import { type Api, spaceApi, userApi } from '../../shared/apis.ts'
import { type Guide, guidesWithCredential, variableOf } from '../../shared/connect.ts'
import { serverNames } from '../../shared/server-names.ts'
import { root } from '../api.ts'

/** Programs that get lines of their own beside the key or token; the page of the tool server has more. */
const PROGRAMS = new Set(['Claude Code', 'Cursor', 'VS Code'])

/** Address of the APIs, without a slash at its end. */
const v1 = new URL('v1', root).href

/** Address of an API's tool server, which says in a browser how to connect to it. */
export const toolServerUrl = (api: Api['name']) => root.href.replace(/\/$/, '') + serverNames[api].path

/**
 * Ready lines for what a new secret is used with.
 *
 * @param first path of a request that any such secret may make
 * @param surroundings what a program has to know besides
 */
const lines = (api: Api, secret: string, first: string, surroundings: Record<string, string>): Guide[] => {
  const environment = { SPACE_SITE_API: v1, ...surroundings, [variableOf(api)]: secret }
  return [
    {
      program: 'curl',
      how: 'Try it: this answers with what it may do.',
      lines: `curl -H "Authorization: Bearer ${secret}" \\\n  ${v1}${first}`,
    },
    {
      program: '.env',
      how: 'For a program of yours that reads its settings from a file. Keep that file out of version control.',
      lines: Object.entries(environment)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    },
    ...guidesWithCredential(api, toolServerUrl(api.name), secret).filter(({ program }) =>
      PROGRAMS.has(program),
    ),
  ]
}

/** Ready lines for a space's key. */
export const keySnippets = (secret: string, subdomain: string) =>
  lines(spaceApi, secret, `/spaces/${subdomain}`, { SPACE_SITE_SUBDOMAIN: subdomain })

/** Ready lines for a person's token. */
export const tokenSnippets = (secret: string) => lines(userApi, secret, '/me', {})
