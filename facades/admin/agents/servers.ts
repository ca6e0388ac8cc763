import { furtherServers, serverNames } from '../../shared/server-names.ts'
import { root } from '../api.ts'

/** The tool servers of a space that a person can choose from. */
export const servers = {
  standard: {
    ...serverNames.space,
    label: 'Standard',
    text: 'The documented tools for pages, parts, data and files.',
    isReadOnly: false,
  },
  studio: {
    ...furtherServers.studio,
    label: 'Studio',
    text: 'More tools for building a site: edit, check, render, search, restore.',
    isReadOnly: false,
  },
  readonly: {
    ...furtherServers.readonly,
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
