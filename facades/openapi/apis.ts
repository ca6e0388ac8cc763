import { spaceScopes, userScopes } from '../../routers/core/scopes.ts'

/** One of the APIs, as its document and the reference introduce it. */
export interface Api {
  /** Its operations are those whose `meta.api` this is. */
  name: 'space' | 'user'
  title: string
  /** Version of the description (contract: "Versioning"). */
  version: string
  /** Where its OpenAPI document is served, below the root. */
  documentPath: string
  /** What it is for, in a sentence. */
  summary: string
  credential: {
    /** Name of the security scheme. */
    scheme: string
    /** What people call it: `key`. */
    noun: string
    /** What each begins with. */
    prefix: string
    /** Where one comes from. */
    origin: string
  }
  /** Each scope with what it grants. */
  scopes: Readonly<Record<string, string>>
  /** Its tags in the order of the reference. */
  tags: Readonly<Record<string, string>>
}

export const spaceApi: Api = {
  name: 'space',
  title: 'Space API',
  version: '1.6.0',
  documentPath: '/openapi.json',
  summary:
    'Builds the website of one space: its pages, the parts they share, its data records and its files.',
  credential: {
    scheme: 'spaceKey',
    noun: 'key',
    prefix: 'ss_sk_',
    origin:
      "A participant issues it in the space's admin screen and chooses its scopes there. It is shown once, works for that space alone, and stops when it is revoked or when whoever issued it leaves the space.",
  },
  scopes: spaceScopes,
  tags: {
    Space: 'What the space is, what the key may do, and the limits that apply. A good first call.',
    Pages:
      'Free pages, each with an address of its own on the site. The body is a Liquid template: a `scripted` page runs in a frame on a separate origin, a `static` one is shown directly and without scripts.',
    Parts:
      'Templates that pages and other parts share through `render`, `include` and `layout`. A part has no address.',
    Data: 'JSON records under keys that you choose, which templates read as `data.key`.',
    Files: 'Images, fonts, stylesheets and whatever else pages refer to. Each file has an origin of its own.',
  },
}

export const userApi: Api = {
  name: 'user',
  title: 'User API',
  version: '1.3.0',
  documentPath: '/user-openapi.json',
  summary: 'Acts as one person: profile, posts on the main timeline, comments and likes.',
  credential: {
    scheme: 'userToken',
    noun: 'token',
    prefix: 'ss_ut_',
    origin:
      "The account's owner issues it in the account's token screen and chooses its scopes there. It is shown once, acts as that person, and stops when it is revoked.",
  },
  scopes: userScopes,
  tags: {
    Profile: 'Your name, handle, bio and picture, what the token may do, and the limits that apply.',
    Posts:
      'Posts on the main timeline, written as HTML, as Markdown, or as a shared address. Other people’s published posts can be read by id.',
    Comments: 'Plain text under posts.',
    Likes: 'One like of a person on a post. Repeating a call changes nothing.',
  },
}

/** All APIs that are described, in the order of the reference. */
export const apis: readonly Api[] = [spaceApi, userApi]
