import type { Api } from './apis.ts'

/** The name that programs use for each API's tool server, and the server's path below the root. */
export const serverNames = {
  space: { name: 'space-site', path: '/mcp' },
  user: { name: 'space-site-user', path: '/user-mcp' },
} as const satisfies Record<Api['name'], { name: string; path: string }>

/** Extra tool servers of the Space API. */
export const extraServers = {
  studio: { name: 'space-site-studio', path: '/mcp/studio' },
  readonly: { name: 'space-site-readonly', path: '/mcp/readonly' },
} as const
