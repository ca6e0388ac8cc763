import { spaceScopes, userScopes } from '../../routers/api/scopes.ts'

/** One of the two APIs, as its OpenAPI document and the reference introduce it. */
export interface Api {
  /** An operation belongs to the API that its `meta.api` names. */
  name: 'space' | 'user'
  title: string
  /** Version of the description (contract: "Versioning"). */
  version: string
  /** Path of the API's OpenAPI document, relative to the API root. */
  documentPath: string
  /** The API's purpose, in one sentence. */
  summary: string
  credential: {
    /** Name of the security scheme. */
    scheme: string
    /** The noun that texts use for the credential, such as `key`. */
    noun: string
    /** Start of every credential. */
    prefix: string
    /** How to get a credential. */
    origin: string
  }
  /** What each scope grants. */
  scopes: Readonly<Record<string, string>>
  /** Tags and their descriptions, in the order of the reference. */
  tags: Readonly<Record<string, string>>
}

export const spaceApi: Api = {
  name: 'space',
  title: 'Space API',
  version: '1.6.0',
  documentPath: '/openapi.json',
  summary: 'Builds the website of one space: its pages, shared parts, data records and files.',
  credential: {
    scheme: 'spaceKey',
    noun: 'key',
    prefix: 'ss_sk_',
    origin:
      'An owner creates the key in the dashboard of the space and chooses its scopes there. The key is shown once and works for that space only. It stops working when it is revoked or when the person who created it leaves the space or becomes an editor.',
  },
  scopes: spaceScopes,
  tags: {
    Space: 'The space, the scopes of the key, and the limits that apply. A good first call.',
    Pages:
      'Pages, each with its own URL on the site. The body is a Liquid template. A `scripted` page runs in a frame on a separate origin. A `static` page is shown directly, without scripts. Both kinds can link to other pages of the site. In a scripted page, a link to another website needs `target="_top"`; `<base target="_top">` sets this for all links. A scripted page can load the script `/_page.js`. Then the address bar follows fragments and `history.pushState`, the window title follows `document.title`, a reload keeps the scroll position, and the whole page is printed.',
    Parts:
      'Templates that pages and other parts include with `render`, `include` and `layout`. A part has no URL.',
    Data: 'JSON records under keys that you choose. Templates read them as `data.key`.',
    Files: 'Images, fonts, stylesheets and other files that pages refer to. Each file has its own origin.',
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
      'The owner of the account creates the token in the dashboard and chooses its scopes there. The token is shown once, acts as that person, and stops working when it is revoked.',
  },
  scopes: userScopes,
  tags: {
    Profile: 'Your name, handle, bio and picture, the scopes of the token, and the limits that apply.',
    Posts:
      'Posts on the main timeline, written in HTML or Markdown, or sharing a link. A post in HTML runs in a frame on its own origin. It cannot open dialogs or leave the page around the frame, so a link to another website needs `target="_blank"`; `<base target="_blank">` sets this for all links. You can read other people’s published posts by id.',
    Comments: 'Plain-text comments on posts.',
    Likes: 'Likes on posts, one per person and post. Repeating a call changes nothing.',
  },
}

/** Both APIs, in the order of the reference. */
export const apis: readonly Api[] = [spaceApi, userApi]
