import { spaceApi } from '../../shared/apis.ts'
import { type Guide, guidesByUrl, guidesWithCredential, type Target } from '../../shared/connect.ts'
import { extraServers, serverNames } from '../../shared/server-names.ts'
import { root } from '../api.ts'

/** The choice for programs that have no guide. */
const OTHER = 'Another program'

/** Programs that run on their maker's servers. They accept only a URL, and reach only public addresses. */
const HOSTED: ReadonlySet<string> = new Set(['Claude (web and desktop)', 'ChatGPT'])

const NO_TARGET: Target = { name: '', url: '' }

/** The programs to choose from. */
export const programs: readonly string[] = [...guidesByUrl(NO_TARGET).map(({ program }) => program), OTHER]

/** Whether a program runs on its maker's servers. */
export const isHosted = (program: string): boolean => HOSTED.has(program)

/** Returns how to connect a program that signs in through the browser. */
export const guideByUrl = (program: string, target: Target): Guide =>
  guidesByUrl(target).find(guide => guide.program === program) ?? {
    program,
    how: 'Enter this URL where the program asks for a remote MCP server (Streamable HTTP). It opens your browser to sign in.',
    lines: target.url,
  }

/** Returns how to connect a program that sends a key. */
export const guideWithKey = (program: string, target: Target, secret: string): Guide =>
  guidesWithCredential(spaceApi, target, secret).find(guide => guide.program === program) ?? {
    program,
    how: 'Enter this URL and this header where the program asks for a remote MCP server (Streamable HTTP).',
    lines: `${target.url}\nAuthorization: Bearer ${secret}`,
  }

/** The tool servers of a space that a person can choose from. */
export const servers = {
  standard: {
    ...serverNames.space,
    label: 'Standard',
    text: 'The documented tools for pages, parts, data and files.',
    isReadOnly: false,
  },
  studio: {
    ...extraServers.studio,
    label: 'Studio',
    text: 'More tools for building a site: edit, check, render, search, restore.',
    isReadOnly: false,
  },
  readonly: {
    ...extraServers.readonly,
    label: 'Read-only',
    text: 'Only tools that change nothing.',
    isReadOnly: true,
  },
} as const

export type ServerChoice = keyof typeof servers

/** The name and the full address of a tool server. */
export const targetOf = (choice: ServerChoice) => {
  const { name, path } = servers[choice]
  return { name, url: root.href.replace(/\/$/, '') + path }
}

/** Whether this service can be reached only from this computer, or only without https. */
export const isLocal =
  root.protocol !== 'https:' || /^(localhost|127\.|\[::1\])|\.localhost$/.test(root.hostname)
