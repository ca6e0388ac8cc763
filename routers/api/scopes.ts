/** The scopes of space keys, with descriptions for people (contract: Space API, "Authentication"). */
export const spaceScopes = {
  pages: 'Read and write pages and parts',
  data: 'Read and write data records',
  files: 'Read the list of files and their addresses',
  files_write: 'Upload, replace, rename and delete files, and read the list of files',
} as const

export type SpaceScope = keyof typeof spaceScopes

/** The scopes that a key needs, all of them, to change the name or icon of its space. */
export const SETTING_SCOPES = ['pages', 'data', 'files_write'] as const satisfies SpaceScope[]

export const SPACE_SCOPES = Object.keys(spaceScopes) as [SpaceScope, ...SpaceScope[]]

/** The scopes of user tokens, with descriptions for people (contract: User API, "Authentication"). */
export const userScopes = {
  posts: 'Read posts, and write, replace and delete your own',
  comments: 'Read and write comments, and replace and delete your own',
  likes: 'Add and remove likes',
  profile: 'Change your name, handle, bio and picture',
} as const

export type UserScope = keyof typeof userScopes

export const USER_SCOPES = Object.keys(userScopes) as [UserScope, ...UserScope[]]
