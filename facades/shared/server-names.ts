import type { Api } from './apis.ts'

/** What programs call each API's tool server, and where it is below the root. */
export const serverNames = {
  space: { name: 'space-site', path: '/mcp' },
  user: { name: 'space-site-user', path: '/user-mcp' },
} as const satisfies Record<Api['name'], { name: string; path: string }>
