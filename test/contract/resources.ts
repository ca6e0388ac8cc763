import type { ErrorCode } from '../../routers/api/errors.ts'
import { type Person, type TestSpace, uniqueName } from '../support/test-service.ts'

/** The kind of resource that a path parameter names. */
export interface Resource<Owner> {
  /**
   * Creates a resource and returns its id.
   *
   * @param name unique in its space
   */
  create: (owner: Owner, name: string) => Promise<string>
  /** A well-formed id that no resource has. */
  missing: string
  /** The error code of the 404 response for that id. */
  notFound: ErrorCode
}

const MISSING_ID = 'a'.repeat(16)

/** The path parameters of the Space API, except `subdomain`. */
export const spaceResources: Readonly<Record<string, Resource<TestSpace>>> = {
  page_id: {
    create: async ({ owner, subdomain }, name) =>
      (await owner.pages.create({ subdomain, slug: name, html: 'x' })).id,
    missing: MISSING_ID,
    notFound: 'page_not_found',
  },
  part_id: {
    create: async ({ owner, subdomain }, name) =>
      (await owner.parts.create({ subdomain, name, html: 'x' })).id,
    missing: MISSING_ID,
    notFound: 'part_not_found',
  },
  file_id: {
    create: async ({ owner, subdomain }, name) =>
      (await owner.files.create({ subdomain, name: `${name}.txt`, content: 'file', encoding: 'text' })).id,
    missing: MISSING_ID,
    notFound: 'file_not_found',
  },
  key: {
    create: async ({ owner, subdomain }, name) =>
      (await owner.data.put({ subdomain, key: name, value: { title: 'record' } })).key,
    missing: 'none',
    notFound: 'data_not_found',
  },
}

const createPost = async (person: Person) => (await person.posts.create({ html: 'x' })).id

/** The path parameters of the User API. */
export const userResources: Readonly<Record<string, Resource<Person>>> = {
  post_id: { create: createPost, missing: MISSING_ID, notFound: 'post_not_found' },
  comment_id: {
    create: async person =>
      (await person.comments.create({ post_id: await createPost(person), body: 'comment' })).id,
    missing: MISSING_ID,
    notFound: 'comment_not_found',
  },
}

/**
 * For each router, a table that its tools read but authentication does not; null if there is none. Tests hide the
 * table to make a tool call fail.
 */
export const tablesOfTools: Readonly<Record<string, string | null>> = {
  space: null,
  pages: 'pages',
  parts: 'parts',
  data: 'data_records',
  files: 'files',
  me: 'icons',
  posts: 'posts',
}

/** Values for the parameters of a path. */
export type PathValues = Record<string, string>

const createAll = async <Owner>(resources: Readonly<Record<string, Resource<Owner>>>, owner: Owner) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(resources).map(
        async ([parameter, { create }]) => [parameter, await create(owner, uniqueName('item'))] as const,
      ),
    ),
  )

/** Creates one resource of each kind in a space and returns the path values that name them. */
export const fillSpace = async (space: TestSpace): Promise<PathValues> => ({
  subdomain: space.subdomain,
  ...(await createAll(spaceResources, space)),
})

/** Creates one resource of each kind that an account can have and returns the path values that name them. */
export const fillAccount = (person: Person): Promise<PathValues> => createAll(userResources, person)
