import type { Actor } from '../../routers/api/actor.ts'
import type { ToolServerName } from '../../routers/credentials/oauth/addresses.ts'
import type { Callable } from '../operations/list.ts'
import { type Api, spaceApi, userApi } from '../shared/apis.ts'
import { extraServers, serverNames } from '../shared/server-names.ts'
import {
  readonlyInstructions,
  spaceInstructions,
  studioInstructions,
  userInstructions,
} from './instructions.ts'

/** A tool server that agents connect to. */
export interface ToolServer {
  /** The server's name as a protected resource of OAuth. */
  resource: ToolServerName
  api: Api
  path: string
  name: string
  title: string
  /** One sentence that tells people what an agent can do with this server. */
  purpose: string
  /**
   * What a person chooses when connecting an app, such as "the space and its permissions"; follows the word "choose".
   */
  grants: string
  /** Tells the model what the server is, and what to know before calling its tools. */
  instructions: string
  /** Whether this server offers a given tool of its API. */
  offers: (tool: Callable) => boolean
  /** Whether this server lists only the tools that the credential's scopes allow, and has resources and a prompt. */
  isExtra: boolean
  /** Input fields whose values the credential determines. */
  fixedFields: readonly string[]
  /**
   * Returns an actor's credential id and the values of the fixed fields; null if the server does not accept this kind
   * of actor.
   */
  caller: (actor: Actor) => { credentialId: string; path: Record<string, string> } | null
}

/** What the tool servers of the Space API have in common. */
const forOneSpace = {
  api: spaceApi,
  grants: 'the space and the client’s permissions',
  fixedFields: ['subdomain'],
  caller: (actor: Actor) =>
    actor.kind === 'space_key'
      ? { credentialId: actor.keyId, path: { subdomain: actor.space.subdomain } }
      : null,
} satisfies Partial<ToolServer>

/** Tools for one space; clients send a space key (contract: Space API, "Tool server for agents"). */
export const spaceServer: ToolServer = {
  ...forOneSpace,
  ...serverNames.space,
  resource: 'space',
  title: 'Space Site',
  purpose: 'A connected agent builds the website of one space: its pages, parts, data and files.',
  instructions: spaceInstructions,
  offers: ({ meta }) => meta.openapi !== undefined,
  isExtra: false,
}

/** All tools for one space: the contract's tools and the tools for building a site. */
const studioServer: ToolServer = {
  ...forOneSpace,
  ...extraServers.studio,
  resource: 'studio',
  title: 'Space Site studio',
  purpose:
    'A connected agent builds the website of one space with more tools: it replaces passages of pages, writes many pages at once, checks templates before saving, sees pages as visitors do, searches, and restores earlier versions.',
  instructions: studioInstructions,
  offers: () => true,
  isExtra: true,
}

/** The tools for one space that change nothing. */
const readonlyServer: ToolServer = {
  ...forOneSpace,
  ...extraServers.readonly,
  resource: 'readonly',
  title: 'Space Site, read-only',
  purpose: 'A connected agent reads the website of one space. It gets no tools that change anything.',
  instructions: readonlyInstructions,
  offers: ({ type }) => type === 'query',
  isExtra: true,
}

/** Tools for one account, with a user token (contract: User API, "Tool server for agents"). */
export const userServer: ToolServer = {
  api: userApi,
  ...serverNames.user,
  resource: 'user',
  title: 'Space Site account',
  purpose: 'A connected agent acts as you: it writes posts under your name and updates your profile.',
  grants: 'the client’s permissions',
  instructions: userInstructions,
  offers: () => true,
  isExtra: false,
  fixedFields: [],
  caller: actor => (actor.kind === 'user_token' ? { credentialId: actor.tokenId, path: {} } : null),
}

export const toolServers: readonly ToolServer[] = [spaceServer, userServer, studioServer, readonlyServer]
