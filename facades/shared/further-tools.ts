import { furtherServers, serverNames } from './server-names.ts'

/** Says where to find the tools that are not operations. Backticks mark code. */
export const FURTHER_TOOLS = `The tool server at \`${serverNames.space.path}\` has the tools of the operations above. \`${furtherServers.studio.path}\` has these as well, a guide to templates as a resource, and a prompt for building a site. \`${furtherServers.readonly.path}\` has the tools that only read; it is meant to prevent mistakes, because its key also works elsewhere. Both list only what the scopes of the key allow.`
