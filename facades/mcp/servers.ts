import type { Actor } from '../../routers/core/actor.ts'
import { type Api, spaceApi, userApi } from '../shared/apis.ts'
import { serverNames } from '../shared/server-names.ts'
import { spaceInstructions, userInstructions } from './instructions.ts'

/** One of the addresses that agents connect to. */
export interface ToolServer {
  api: Api
  path: string
  name: string
  title: string
  /** For a person, in a sentence: what an agent does with it. */
  purpose: string
  /** For the model that gets the tools: what this is, and what it has to know before it uses them. */
  instructions: string
  /** Input fields that a credential answers by itself. */
  settled: readonly string[]
  /** What it answers, or null when the actor is not one that this server knows. */
  caller: (actor: Actor) => { credentialId: string; path: Record<string, string> } | null
}

/** Tools on one space, for whoever has its key (contract: document 1, "Tool server for agents"). */
const spaceServer: ToolServer = {
  api: spaceApi,
  ...serverNames.space,
  title: 'Space Site',
  purpose:
    'An agent that is connected here builds the website of one space: its pages, parts, data and files.',
  instructions: spaceInstructions,
  settled: ['subdomain'],
  caller: actor =>
    actor.kind === 'space_key'
      ? { credentialId: actor.keyId, path: { subdomain: actor.space.subdomain } }
      : null,
}

/** Tools as one account, for whoever has its token (contract: document 2, "Tool server for agents"). */
const userServer: ToolServer = {
  api: userApi,
  ...serverNames.user,
  title: 'Space Site account',
  purpose:
    'An agent that is connected here acts as you: it writes posts in your name and keeps your profile.',
  instructions: userInstructions,
  settled: [],
  caller: actor => (actor.kind === 'user_token' ? { credentialId: actor.tokenId, path: {} } : null),
}

export const toolServers: readonly ToolServer[] = [spaceServer, userServer]
