import { type Api, spaceApi, userApi } from '../../shared/apis.ts'
import { type Guide, guidesWithCredential, variableOf } from '../../shared/connect.ts'
import { serverNames } from '../../shared/server-names.ts'
import { root } from '../api.ts'

/** Programs with a snippet in the dialog. The tool server's web page covers more. */
const PROGRAMS = new Set(['Claude Code', 'Cursor', 'VS Code'])

/** Base URL of the APIs, without a trailing slash. */
const v1 = new URL('v1', root).href

/** Returns the URL of an API's tool server. In a browser, the URL shows how to connect. */
export const toolServerUrl = (api: Api['name']) => root.href.replace(/\/$/, '') + serverNames[api].path

/** Returns snippets for using a new key or token.
 * @param path of a GET request that needs no particular scope
 * @param variables further environment variables
 */
const snippets = (api: Api, secret: string, path: string, variables: Record<string, string>): Guide[] => {
  const environment = { SPACE_SITE_API: v1, ...variables, [variableOf(api)]: secret }
  return [
    {
      program: 'curl',
      how: `Try it: the response shows what your ${api.credential.noun} can do.`,
      lines: `curl -H "Authorization: Bearer ${secret}" \\\n  ${v1}${path}`,
    },
    {
      program: '.env',
      how: 'For programs that read their settings from a file. Keep the file out of version control.',
      lines: Object.entries(environment)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    },
    ...guidesWithCredential(
      api,
      { name: serverNames[api.name].name, url: toolServerUrl(api.name) },
      secret,
    ).filter(({ program }) => PROGRAMS.has(program)),
  ]
}

/** Returns snippets for a space key. */
export const keySnippets = (secret: string, subdomain: string) =>
  snippets(spaceApi, secret, `/spaces/${subdomain}`, { SPACE_SITE_SUBDOMAIN: subdomain })

/** Returns snippets for a user token. */
export const tokenSnippets = (secret: string) => snippets(userApi, secret, '/me', {})
