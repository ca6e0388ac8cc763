import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { nameInRequest } from '../../facades/mcp/agent-name.ts'
import { isVisible } from '../../routers/api/shown-text.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { displayName } from '../../routers/credentials/oauth/client-metadata.ts'
import { appRouter } from '../../routers/index.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const createCaller = createCallerFactory(appRouter)
const service = useTestService()
let space: TestSpace
let post: string

beforeAll(async () => {
  space = await service.createSpace()
  post = (await space.owner.posts.create({ html: 'x' })).id
})

/** A control character, two line breaks, and two characters that change the text direction. */
const REFUSED = ['\u0008', '\u0085', '\u2028', '\u202e', '\u2066']
/** Text with an emoji and letters that contain joiners, which are invisible but allowed. */
const KEPT = 'Ünï \u{1f469}\u200d\u{1f33e} \u05d0\u05d1 \u0915\u094d\u200d\u0937'
/**
 * Characters that show nothing: spaces, joiners, a soft hyphen, fillers, variation selectors, a Unicode tag
 * and a blank Braille pattern.
 */
const INVISIBLE = [
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u2063',
  '\u2064',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufffa',
  '\u{1d159}',
  '\u{1d173}',
  '\u{e0041}',
  '\u{e0100}',
]
/** Visible names: words with joiners between letters, an emoji of two characters, and single characters. */
const VISIBLE = ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', KEPT, '\u2764\ufe0f', '.', '\u3042']

/** Single-line values that people type and others see. Values with forbidden characters are refused, never changed. */
const inputs: [string, (text: string) => Promise<unknown>][] = [
  ['the name of a space', name => space.owner.spaces.rename({ subdomain: space.subdomain, name })],
  ['a display name', text => space.owner.me.update({ display_name: text })],
  [
    'the label of a key',
    label => space.owner.keys.issue({ subdomain: space.subdomain, label, scopes: ['data'] }),
  ],
  ['the label of a token', label => space.owner.tokens.issue({ label, scopes: ['posts'] })],
  [
    'the label of a passkey',
    // If the only error is that the passkey does not exist, the label was accepted.
    label =>
      space.owner.passkeys.rename({ passkey_id: 'a'.repeat(16), label }).catch((error: unknown) => {
        if (!String(error).includes('passkey')) throw error
      }),
  ],
]

describe.each(inputs)('%s', (_, write) => {
  test.each(REFUSED)('cannot contain %j', async character => {
    await expect(write(`a${character}b`)).rejects.toMatchObject({ problem: 'validation_failed' })
  })

  test.each(VISIBLE)('can be %j', async name => {
    await expect(write(name)).resolves.not.toThrow()
  })

  // U+FEFF is white space, which is removed before the rules apply.
  test.each(['\u200b \u2060', ...INVISIBLE.filter(character => character !== '\ufeff')])(
    'cannot be %j, which shows nothing',
    async name => {
      await expect(write(name)).rejects.toMatchObject({
        problem: 'validation_failed',
        circumstances: { errors: [{ message: 'must contain a visible character' }] },
      })
    },
  )
})

test('text without a visible character counts as invisible, and all other text as visible', () => {
  const invisible = fc.constantFrom(...INVISIBLE, ' ', '\u3000')
  const visible = fc.oneof(
    fc.constantFrom(...VISIBLE),
    fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)),
  )
  fc.assert(
    fc.property(fc.array(invisible), fc.array(invisible), visible, (before, after, name) => {
      expect(isVisible([...before, ...after].join(''))).toBe(false)
      expect(isVisible([...before, name, ...after].join(''))).toBe(true)
    }),
  )
})

/** Values that can have several lines; line breaks are kept. */
const texts: [string, (text: string) => Promise<unknown>][] = [
  ['a bio', bio => space.owner.me.update({ bio })],
  ['a comment', body => space.owner.comments.create({ post_id: post, body })],
  ['the reason of a report', reason => space.owner.reports.create({ post_id: post, reason })],
]

describe.each(texts)('%s', (_, write) => {
  test.each(REFUSED.filter(character => character !== '\u2028'))('cannot contain %j', async character => {
    await expect(write(`a${character}b`)).rejects.toMatchObject({ problem: 'validation_failed' })
  })
})

const HOSTILE = `a${REFUSED.join('')}b`

/**
 * Values that are stored unchanged, because the contract or another program defines them. They are cleaned when they are
 * shown.
 */
const outputs: [string, () => Promise<string | null | undefined> | string | null][] = [
  ['the name of a connected app', () => displayName(HOSTILE)],
  [
    'the name of a session',
    async () => {
      const { core } = service
      const userAgent = `${HOSTILE}/1.0 (X11; Linux x86_64) x`
      const caller = createCaller({ core, actor: null, client: 'shown', userAgent, setSession: () => {} })
      await caller.sessions.create({ handle: space.owner.handle, password: 'correct horse battery' })
      return (await space.owner.sessions.list()).find(({ client }) => client !== null)?.client
    },
  ],
  [
    'the description of a record in the list',
    async () => {
      await space.api.put('/data/described', { value: 1, description: HOSTILE })
      const records = await space.owner.records.list({ subdomain: space.subdomain })
      return records.find(({ key }) => key === 'described')?.description
    },
  ],
  [
    "the title of a post in its author's list",
    async () => {
      await space.owner.writing.createDraft({ format: 'html', html: `<title>${HOSTILE}</title>` })
      return (await space.owner.writing.list({})).posts[0]?.title
    },
  ],
]

test('a blank name of a connected app is replaced, and a blank name of an agent is ignored', () => {
  for (const name of INVISIBLE) {
    expect(displayName(name)).toBe('Unnamed app')
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { clientInfo: { name } },
    } as const
    expect(nameInRequest(initialize)).toBeUndefined()
  }
})

test('a post with a blank title is listed by its first words', async () => {
  const titles = async (html: string) => {
    const { id } = await space.owner.writing.createDraft({ format: 'html', html })
    return (await space.owner.writing.list({})).posts.find(draft => draft.id === id)?.title
  }
  for (const character of INVISIBLE) {
    expect(await titles(`<title>${character}</title><p>Beans</p>`)).toBe('Beans')
    expect(await titles(`<title>${character}</title><p>${character}</p>`)).toBe('')
  }
})

test.each(outputs)('%s shows neither control nor direction characters', async (_, read) => {
  const shown = await read()
  expect(shown).toMatch(/^a +b/)
  expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
})
