import type { GetPromptResult, Prompt, Resource } from '@modelcontextprotocol/sdk/types.js'
import { UPLOAD_LINKS } from '../shared/extra-tools.ts'
import { guideText } from './guide-text.ts'
import { codes, type Request, RpcError, refuseCursor } from './rpc.ts'

/** The resources and prompts of a tool server. */
export interface StudioContent {
  resources: Resource[]
  /** Returns the text of a resource; undefined for an unknown address. */
  read: (uri: unknown) => { uri: string; mimeType: string; text: string } | undefined
  prompts: Prompt[]
  /** Returns a prompt; undefined for an unknown name. */
  prompt: (name: unknown, values: unknown) => GetPromptResult | undefined
}

const GUIDE = {
  uri: 'space-site://guide',
  name: 'guide',
  title: 'Building a site',
  description: 'What to know about pages, parts, links, files and Liquid before building a site',
  mimeType: 'text/markdown',
} as const

const BUILD = {
  name: 'build_site',
  title: 'Build a site',
  description: 'Builds a website in this space from a description',
  arguments: [{ name: 'topic', description: 'What the site is about, and for whom', required: true }],
} as const

const buildText = (topic: string) => `Build a website in this space about: ${topic}

1. Call get_space, list_pages, list_parts, list_data and list_files. Keep what exists unless it is in the way; ask before you delete anything.
2. Read the resource ${GUIDE.uri}.
3. Plan the pages, with the slug index as the home page. Put the frame of all pages with navigation and CSS into one part that they use as their layout, and content that changes often into data records.
4. Create the part and the records first, then the pages, with kind static unless a page needs scripts.
5. Correct every problem that the results of the writes report, until they report none.
6. Look at each page with render_page, then give me the address of the site.`

/**
 * The guide as a resource, and the prompt "Build a site".
 *
 * @param canUpload whether the server has `create_upload_link`, which the guide then explains
 */
export const siteGuide = (canUpload: boolean): StudioContent => {
  const text = guideText('#', canUpload ? [['Sending a file', UPLOAD_LINKS]] : [])
  return {
    resources: [{ ...GUIDE }],
    read: uri => (uri === GUIDE.uri ? { uri: GUIDE.uri, mimeType: GUIDE.mimeType, text } : undefined),
    prompts: [{ ...BUILD, arguments: [...BUILD.arguments] }],
    prompt: (name, values) => {
      if (name !== BUILD.name) return undefined
      const topic = (values as { topic?: unknown } | undefined)?.topic
      const message = {
        type: 'text' as const,
        text: buildText(typeof topic === 'string' ? topic : 'a topic that you must ask me for first'),
      }
      return { description: BUILD.description, messages: [{ role: 'user', content: message }] }
    },
  }
}

/**
 * Returns the result of a method for resources or prompts; undefined for other methods.
 *
 * @throws RpcError −32602 for a resource or prompt that does not exist, and for an unknown cursor
 */
export const contentResult = (content: StudioContent, request: Request): object | undefined => {
  const { method, params } = request
  switch (method) {
    case 'resources/list':
      refuseCursor(request)
      return { resources: content.resources }
    case 'resources/templates/list':
      refuseCursor(request)
      return { resourceTemplates: [] }
    case 'prompts/list':
      refuseCursor(request)
      return { prompts: content.prompts }
    case 'resources/read': {
      const found = content.read(params.uri)
      if (found) return { contents: [found] }
      throw unknown(
        'resource',
        params.uri,
        content.resources.map(({ uri }) => uri),
      )
    }
    case 'prompts/get': {
      const found = content.prompt(params.name, params.arguments)
      if (found) return found
      throw unknown(
        'prompt',
        params.name,
        content.prompts.map(({ name }) => name),
      )
    }
  }
}

const unknown = (what: string, name: unknown, available: readonly string[]) =>
  new RpcError(
    codes.invalidParams,
    `Unknown ${what} ${JSON.stringify(String(name).slice(0, 100))}. Available: ${available.join(', ')}`,
    // For an unknown resource, the protocol recommends that the error repeats the address.
    { status: 200, ...(what === 'resource' && typeof name === 'string' ? { data: { uri: name } } : {}) },
  )
