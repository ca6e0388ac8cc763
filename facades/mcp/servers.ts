import type { Actor } from '../../routers/core/actor.ts'
import { type Api, spaceApi, userApi } from '../shared/apis.ts'
import { serverNames } from '../shared/server-names.ts'
import { spaceInstructions, userInstructions } from './instructions.ts'

/** A tool server that agents connect to. */
export interface ToolServer {
  api: Api
  path: string
  name: string
  title: string
  /** For people, in one sentence: what an agent can do with it. */
  purpose: string
  /** What a person chooses when connecting an app; completes a sentence that ends in "choose". */
  grants: string
  /** For the model: what the server is, and what to know before calling its tools. */
  instructions: string
  /** Input fields that the credential fixes. */
  fixedFields: readonly string[]
  /** Returns the credential id and the fixed fields; null for an actor of another kind. */
  caller: (actor: Actor) => { credentialId: string; path: Record<string, string> } | null
}

/** Tools for one space, with a space key (contract: Space API, "Tool server for agents"). */
const spaceServer: ToolServer = {
  api: spaceApi,
  ...serverNames.space,
  title: 'Space Site',
  purpose: 'A connected agent builds the website of one space: its pages, parts, data and files.',
  grants: 'the space and its permissions',
  instructions: spaceInstructions,
  fixedFields: ['subdomain'],
  caller: actor =>
    actor.kind === 'space_key'
      ? { credentialId: actor.keyId, path: { subdomain: actor.space.subdomain } }
      : null,
}

/** Tools for one account, with a user token (contract: User API, "Tool server for agents"). */
const userServer: ToolServer = {
  api: userApi,
  ...serverNames.user,
  title: 'Space Site account',
  purpose: 'A connected agent acts as you: it writes posts under your name and updates your profile.',
  grants: 'its permissions',
  instructions: userInstructions,
  fixedFields: [],
  caller: actor => (actor.kind === 'user_token' ? { credentialId: actor.tokenId, path: {} } : null),
}

export const toolServers: readonly ToolServer[] = [spaceServer, userServer]
