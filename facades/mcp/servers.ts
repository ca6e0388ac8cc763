import type { Actor } from '../../routers/api/actor.ts'
import type { ToolServerName } from '../../routers/credentials/oauth/addresses.ts'
import { CPU_LIMIT_MS } from '../../routers/rendering/engine/budget.ts'
import type { Callable } from '../operations/list.ts'
import { type Api, spaceApi, userApi } from '../shared/apis.ts'
import { extraServers, serverNames } from '../shared/server-names.ts'

/** Instructions that all servers share. */
const ERRORS =
  'A failed call returns a JSON problem (code, detail, and errors with field and message) and advice on what to do next. rate_limited says how many seconds to wait; tool calls and REST calls share one limit per minute.'

/** Instructions for models that use a space key, on all servers. */
const space = `Space Site hosts the website of one space: the space of your key. It consists of pages (each with its own URL), parts (templates that pages share), data (JSON records) and files. Everything is public as soon as it is saved. Call get_space first: it returns the address, the scopes of your key and all limits.

The bodies of pages and parts are Liquid templates, evaluated on the server at each visit (at most ${CPU_LIMIT_MS} ms of processor time):
- {{ space.name }}, {{ page.slug }}; output is escaped, {{ x | raw }} is not. Unknown variables are empty.
- {% for p in pages %}<a href="{{ p.url }}">{{ p.slug }}</a>{% endfor %}; files have name, contentType, size and url.
- data.events is the value of the record events; for keys with hyphens write data["weekly-todo"].
- {% render 'card', item: x %} passes only the given variables to a part; {% include 'nav' %} shares all variables of the page.
- {% layout 'frame' %}{% block content %}...{% endblock %} puts the body into the block of that name in the part frame.
- {% assign f = files | where: "name", "a.jpg" | first %}{{ f.url }} finds a file.
- {{ d | date: "%-d %B", timezone: "Europe/Berlin", lang: "de" }}; {{ cents | money: "EUR" }}.
- In scripts, print data with {{ x | json | raw }}, and put {% raw %}...{% endraw %} around {{ and {%.
The slug index is the home page; articles is reserved. Choose kind static unless the page needs scripts or forms. Put shared markup and CSS into parts, and content that changes often into data. A template with mistakes is saved too; its page then shows an explanation. After you save a page or part, a second text in the result names what does not work; correct it.

${ERRORS}`

/** Instructions for models that use the tools of the contract. */
export const spaceInstructions = `${space}

The same key works at /mcp/studio, with more tools: edit passages, check templates, undo.`

const MORE = `Read the resource space-site://guide before you write templates.

To change a few passages, use edit_page, edit_part and edit_data instead of sending the whole body. write_many creates, replaces or renames several items, replaces a text everywhere, and can refuse what would break pages. check_template checks a template without saving it, render_page shows a page as visitors get it, search finds text everywhere. Use list_changes and restore to bring back earlier versions and deleted items. create_upload_link lets another program or the person send a file.`

/** Instructions for models that build a site with all tools. */
export const studioInstructions = `${space}

${MORE}`

/** Instructions for models that can only read. */
export const readonlyInstructions = `Space Site hosts the website of one space: the space of your key. It consists of pages (each with its own URL), parts (Liquid templates that pages share), data (JSON records) and files. These tools only read. Call get_space first: it returns the address, the scopes of your key and all limits. render_page shows a page as visitors get it, search finds text in all content, and list_changes lists who changed what. The resource space-site://guide explains the templates.

${ERRORS}`

/** Instructions for models that use a person's token. */
export const userInstructions = `Space Site account tools act as one person: what you post appears immediately under their name on the public timeline. Call get_me first: it returns the account, the scopes of your token and all limits. A post is html (a complete document), markdown, or reblog (a shared link). There are no tools for comments and likes. Show the person what you are about to publish, replace or delete unless they asked for exactly that.

${ERRORS}`

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
