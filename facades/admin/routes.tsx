import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { api, client, queries, whenSignedOut } from './api.ts'
import { takeToken } from './auth/link-token.ts'
import { parseReturnTo, type ReturnTo, returnUrl } from './auth/return-to.ts'
import { newRecordSearch, recordSearch } from './data/record-search.ts'
import { failureOf } from './feedback/failure.ts'
import { Loading } from './feedback/Loading.tsx'
import { fileSearch } from './files/file-search.ts'
import { forgetEverything, sessionOptions } from './session.ts'
import { AuthLayout } from './shell/AuthLayout.tsx'
import { lazyView } from './shell/lazy-view.ts'
import { NotFound, RootFailure, RootNotFound, RouteFailure } from './shell/RouteFailure.tsx'
import { Shell } from './shell/Shell.tsx'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: RootNotFound,
  errorComponent: RootFailure,
})

/** Views of those who are not signed in. */
const door = createRoute({ getParentRoute: () => root, id: 'auth', component: AuthLayout })

/** Somebody who is signed in already goes on to where they wanted to go. */
const goOnSignedIn = async ({ search, cause }: { search: ReturnTo; cause: string }) => {
  // Whoever has just made an account is signed in, and stays until the recovery codes are saved.
  if (cause === 'stay') return
  // Past the cache, which tells the shell of a session that has ended; here there may well be none.
  const me = await client.accounts.me.query().catch(() => null)
  if (!me) return
  queries.setQueryData(sessionOptions.queryKey, me)
  const { href, pathname, search: query } = returnUrl(search)
  throw search.authorize === undefined
    ? redirect({ href: pathname + query, replace: true })
    : redirect({ href, reloadDocument: true, replace: true })
}

const doors = [
  createRoute({
    getParentRoute: () => door,
    path: '/sign-in',
    validateSearch: parseReturnTo,
    beforeLoad: goOnSignedIn,
    component: lazyView(() => import('./auth/SignIn.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/sign-up',
    validateSearch: parseReturnTo,
    beforeLoad: goOnSignedIn,
    component: lazyView(() => import('./auth/SignUp.tsx'), 'SignUp'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/set-up',
    beforeLoad: () => takeToken('set-up'),
    component: lazyView(() => import('./auth/SetUp.tsx'), 'SetUp'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/join',
    beforeLoad: () => takeToken('join'),
    component: lazyView(() => import('./auth/Join.tsx'), 'Join'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/link',
    beforeLoad: () => takeToken('link'),
    component: lazyView(() => import('./auth/AccountLink.tsx'), 'AccountLink'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/recover',
    validateSearch: parseReturnTo,
    component: lazyView(() => import('./auth/Recover.tsx'), 'Recover'),
  }),
  createRoute({
    getParentRoute: () => door,
    path: '/account-deleted',
    // Nobody but who comes from deleting an account is told that it is gone.
    beforeLoad: ({ location }) => {
      if (location.state.deletedHandle === undefined) throw redirect({ to: '/' })
    },
    component: lazyView(() => import('./account/AccountDeleted.tsx'), 'AccountDeleted'),
  }),
] as const

/** Which dialog of a list of keys or tokens is open, so that each can be linked to. */
interface CredentialDialog {
  issue?: true
  rotate?: string
  revoke?: string
}

const credentialDialog = ({ issue, rotate, revoke }: Record<string, unknown>): CredentialDialog => {
  if (issue === true) return { issue }
  if (typeof rotate === 'string') return { rotate }
  return typeof revoke === 'string' ? { revoke } : {}
}

interface ShownPosts {
  /** Which posts the list shows; all of them unless said. */
  show?: 'drafts' | 'published'
}

const shownPosts = ({ show }: Record<string, unknown>): ShownPosts =>
  show === 'drafts' || show === 'published' ? { show } : {}

/** Views of somebody who is signed in; whoever is not, signs in first and comes back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  errorComponent: RootFailure,
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queries.query({ ...sessionOptions, staleTime: 'static' })
    } catch (error) {
      if (failureOf(error).kind !== 'signed-out') throw error
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
})

/** The formats a new post may begin in, by its address. */
const FORMATS = ['markdown', 'html', 'reblog'] as const

interface NewPost {
  format?: (typeof FORMATS)[number]
}

const newPost = ({ format }: Record<string, unknown>): NewPost => {
  const known = FORMATS.find(name => name === format)
  return known ? { format: known } : {}
}

/** One view for both addresses, so that a new post keeps its editor when it gets the address of its own. */
const writing = createRoute({
  getParentRoute: () => inside,
  id: 'writing',
  component: lazyView(() => import('./posts/WritePost.tsx'), 'WritePost'),
})

const written = [
  createRoute({ getParentRoute: () => writing, path: '/new-post', validateSearch: newPost }),
  createRoute({ getParentRoute: () => writing, path: '/posts/$postId' }),
] as const

const own = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    component: lazyView(() => import('./spaces/Spaces.tsx'), 'Spaces'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/new-space',
    component: lazyView(() => import('./spaces/NewSpace.tsx'), 'NewSpace'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/posts',
    validateSearch: shownPosts,
    component: lazyView(() => import('./posts/Posts.tsx'), 'Posts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reports',
    component: lazyView(() => import('./reports/Reports.tsx'), 'Reports'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    component: lazyView(() => import('./account/Profile.tsx'), 'Profile'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account/security',
    component: lazyView(() => import('./account/Security.tsx'), 'Security'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account/delete',
    component: lazyView(() => import('./account/DeleteAccount.tsx'), 'DeleteAccount'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account/tokens',
    validateSearch: credentialDialog,
    component: lazyView(() => import('./keys/Tokens.tsx'), 'Tokens'),
  }),
] as const

interface Beginning {
  /** The example that a new page begins with. */
  example?: string
}

const beginning = ({ example }: Record<string, unknown>): Beginning =>
  typeof example === 'string' ? { example } : {}

/** Views of one space; what all of them know of it is read before any of them shows. */
const space = createRoute({
  getParentRoute: () => inside,
  path: '/spaces/$subdomain',
  component: Outlet,
  loader: ({ params }) => queries.query(api.space.get.queryOptions({ subdomain: params.subdomain })),
})

/** As with posts: one view for the addresses of a page, new or not. */
const writingPage = createRoute({
  getParentRoute: () => space,
  id: 'writing-page',
  staticData: { isWide: true },
  component: lazyView(() => import('./pages/WritePage.tsx'), 'WritePage'),
})

const writtenPages = [
  createRoute({ getParentRoute: () => writingPage, path: '/new-page', validateSearch: beginning }),
  createRoute({ getParentRoute: () => writingPage, path: '/pages/$pageId' }),
] as const

const writingPart = createRoute({
  getParentRoute: () => space,
  id: 'writing-part',
  staticData: { isWide: true },
  component: lazyView(() => import('./parts/WritePart.tsx'), 'WritePart'),
})

const writtenParts = [
  createRoute({ getParentRoute: () => writingPart, path: '/new-part' }),
  createRoute({ getParentRoute: () => writingPart, path: '/parts/$partId' }),
] as const

const writingRecord = createRoute({
  getParentRoute: () => space,
  id: 'writing-record',
  component: lazyView(() => import('./data/WriteRecord.tsx'), 'WriteRecord'),
})

const writtenRecords = [
  createRoute({ getParentRoute: () => writingRecord, path: '/new-record', validateSearch: newRecordSearch }),
  createRoute({ getParentRoute: () => writingRecord, path: '/data/$key' }),
] as const

const ofSpace = [
  createRoute({
    getParentRoute: () => space,
    path: '/',
    component: lazyView(() => import('./spaces/Overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/settings',
    component: lazyView(() => import('./spaces/Settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/participants',
    component: lazyView(() => import('./spaces/Participants.tsx'), 'Participants'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/keys',
    validateSearch: credentialDialog,
    component: lazyView(() => import('./keys/Keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/pages',
    component: lazyView(() => import('./pages/Pages.tsx'), 'Pages'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/parts',
    component: lazyView(() => import('./parts/Parts.tsx'), 'Parts'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/data',
    validateSearch: recordSearch,
    component: lazyView(() => import('./data/Records.tsx'), 'Records'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/files',
    validateSearch: fileSearch,
    component: lazyView(() => import('./files/Files.tsx'), 'Files'),
  }),
] as const

const tree = root.addChildren([
  door.addChildren(doors),
  inside.addChildren([
    ...own,
    writing.addChildren(written),
    space.addChildren([
      ...ofSpace,
      writingPage.addChildren(writtenPages),
      writingPart.addChildren(writtenParts),
      writingRecord.addChildren(writtenRecords),
    ]),
  ]),
])

/** Milliseconds before a view that is still being read is said to be. */
const PATIENCE = 150

export const router = createRouter({
  routeTree: tree,
  basepath: new URL(document.baseURI).pathname,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: PATIENCE,
  defaultPendingComponent: Loading,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Takes all the width that there is: editors, beside what comes of them. */
    isWide?: true
  }
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The handle of the account that has just been deleted. */
    deletedHandle?: string
    /** Whether only the address has changed, and the keyboard is to stay where it is. */
    keepsFocus?: boolean
  }
}

const askWhoOneIs = async () => {
  const { pathname, href } = router.state.location
  // While the way to the sign-in is under way, views that are still there ask on; that is nobody's concern any more.
  if (pathname === '/sign-in' || router.state.matches.every(({ routeId }) => routeId !== '/signed-in')) return
  await router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { next: href }, replace: true })
  // Whoever has unsaved work may have stayed, and has it on the screen.
  if (router.state.location.pathname === '/sign-in') forgetEverything()
}

whenSignedOut(() => void askWhoOneIs())
