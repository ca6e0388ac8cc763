import { createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { api, onSignedOut, queryClient } from './api.ts'
import { auth, authViews } from './auth/routes.ts'
import { clearCache, sessionOptions } from './session.ts'
import { NotFound, NotFoundInSpace, RootFailure, RouteFailure } from './shell/RouteFailure.tsx'
import { root } from './shell/root-route.ts'
import { Shell } from './shell/Shell.tsx'
import { WithNotifications } from './shell/WithNotifications.tsx'
import { failureOf } from './ui/failure.ts'
import { Loading } from './ui/Loading.tsx'
import { lazyView } from './ui/lazy.ts'
import { isLeavingGuarded } from './ui/leave-guard.ts'
import { parseSearch, stringifySearch } from './ui/search-params.ts'
import { newDraftId } from './unsaved/draft-place.ts'
import {
  accountAuditSearch,
  comparisonSearch,
  fileSearch,
  historySearch,
  keySearch,
  newPageSearch,
  newPartSearch,
  newPostSearch,
  newRecordSearch,
  pageSearch,
  postSearch,
  recordSearch,
  spaceAuditSearch,
  tokenSearch,
} from './view-search.ts'

/** Views for signed-in people. Others are sent to sign in first, and come back afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  errorComponent: RootFailure,
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.query({ ...sessionOptions, staleTime: 'static' })
    } catch (error) {
      if (failureOf(error).kind !== 'signed-out') throw error
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
})

/** Gives the editor of a new item an id in the URL, so that a reload finds the draft again. */
const withDraft = ({ search, location }: { search: { draft?: string }; location: { pathname: string } }) => {
  if (search.draft === undefined)
    throw redirect({ to: location.pathname, search: { ...search, draft: newDraftId() }, replace: true })
}

/**
 * The post editor: one route for `/new-post` and `/posts/$postId`, so that a new post keeps its editor when the first
 * save changes the URL.
 */
const postEditor = createRoute({
  getParentRoute: () => signedIn,
  id: 'post-editor',
  validateSearch: newPostSearch,
  component: lazyView(() => import('./posts/EditPost.tsx'), 'EditPost'),
})

const postEditorViews = [
  createRoute({
    getParentRoute: () => postEditor,
    path: '/new-post',
    beforeLoad: withDraft,
  }),
  createRoute({ getParentRoute: () => postEditor, path: '/posts/$postId' }),
] as const

const accountViews = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    staticData: { isWide: true },
    component: lazyView(() => import('./spaces/Spaces.tsx'), 'Spaces'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/new-space',
    component: lazyView(() => import('./spaces/NewSpace.tsx'), 'NewSpace'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/posts',
    validateSearch: postSearch,
    component: lazyView(() => import('./posts/Posts.tsx'), 'Posts'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/posts/deleted',
    component: lazyView(() => import('./posts/DeletedPosts.tsx'), 'DeletedPosts'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/posts/$postId/comments',
    component: lazyView(() => import('./posts/Discussion.tsx'), 'Discussion'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/posts/$postId/history',
    component: lazyView(() => import('./posts/PostHistory.tsx'), 'PostHistory'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/posts/$postId/history/$changeId',
    component: lazyView(() => import('./posts/PostVersion.tsx'), 'PostVersion'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/notifications',
    component: lazyView(() => import('./notifications/Notifications.tsx'), 'Notifications'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/people',
    component: lazyView(() => import('./people/People.tsx'), 'People'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/reports',
    component: lazyView(() => import('./reports/Reports.tsx'), 'Reports'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/service',
    component: lazyView(() => import('./instance/Instance.tsx'), 'Instance'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account',
    component: lazyView(() => import('./account/Profile.tsx'), 'Profile'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account/security',
    component: lazyView(() => import('./security/Security.tsx'), 'Security'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account/audit',
    validateSearch: accountAuditSearch,
    component: lazyView(() => import('./audit/AuditLog.tsx'), 'AccountAudit'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account/delete',
    component: lazyView(() => import('./account/DeleteAccount.tsx'), 'DeleteAccount'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account/tokens',
    validateSearch: tokenSearch,
    component: lazyView(() => import('./credentials/Tokens.tsx'), 'Tokens'),
  }),
  createRoute({ getParentRoute: () => signedIn, path: '/$', component: NotFound }),
] as const

/** Views of one space. The space is loaded before any of them is rendered. */
const space = createRoute({
  getParentRoute: () => signedIn,
  path: '/spaces/$subdomain',
  component: Outlet,
  loader: ({ params: { subdomain } }) => {
    // Sent together with the query of the space, so that the role of the person is known when a view appears.
    queryClient.query(api.participants.list.queryOptions({ subdomain })).catch(() => {})
    return queryClient.query(api.space.get.queryOptions({ subdomain }))
  },
})

/** The page editor: one route for `/new-page` and `/pages/$pageId`, for the same reason as `postEditor`. */
const pageEditor = createRoute({
  getParentRoute: () => space,
  id: 'page-editor',
  validateSearch: newPageSearch,
  staticData: { isWide: true },
  component: lazyView(() => import('./pages/EditPage.tsx'), 'EditPage'),
})

const pageEditorViews = [
  createRoute({
    getParentRoute: () => pageEditor,
    path: '/new-page',
    beforeLoad: withDraft,
  }),
  createRoute({ getParentRoute: () => pageEditor, path: '/pages/$pageId' }),
] as const

const partEditor = createRoute({
  getParentRoute: () => space,
  id: 'part-editor',
  validateSearch: newPartSearch,
  staticData: { isWide: true },
  component: lazyView(() => import('./parts/EditPart.tsx'), 'EditPart'),
})

const partEditorViews = [
  createRoute({
    getParentRoute: () => partEditor,
    path: '/new-part',
    beforeLoad: withDraft,
  }),
  createRoute({ getParentRoute: () => partEditor, path: '/parts/$partId' }),
] as const

const recordEditor = createRoute({
  getParentRoute: () => space,
  id: 'record-editor',
  validateSearch: newRecordSearch,
  component: lazyView(() => import('./data/EditRecord.tsx'), 'EditRecord'),
})

const recordEditorViews = [
  createRoute({
    getParentRoute: () => recordEditor,
    path: '/new-record',
    beforeLoad: withDraft,
  }),
  createRoute({ getParentRoute: () => recordEditor, path: '/data/$key' }),
] as const

const spaceViews = [
  createRoute({
    getParentRoute: () => space,
    path: '/look',
    staticData: { isWide: true },
    component: lazyView(() => import('./data/EditRecord.tsx'), 'EditLook'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/',
    staticData: { isWide: true },
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
    validateSearch: keySearch,
    component: lazyView(() => import('./credentials/Keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/history',
    validateSearch: historySearch,
    component: lazyView(() => import('./history/History.tsx'), 'History'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/audit',
    validateSearch: spaceAuditSearch,
    component: lazyView(() => import('./audit/AuditLog.tsx'), 'SpaceAudit'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/history/compare',
    validateSearch: comparisonSearch,
    component: lazyView(() => import('./history/CompareVersions.tsx'), 'CompareVersions'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/history/$changeId',
    component: lazyView(() => import('./history/ChangeDetail.tsx'), 'ChangeDetail'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/drafts/$draftId',
    staticData: { isWide: true },
    component: lazyView(() => import('./unsaved/SharedDraft.tsx'), 'SharedDraft'),
  }),
  createRoute({
    getParentRoute: () => space,
    path: '/pages',
    validateSearch: pageSearch,
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
  createRoute({ getParentRoute: () => space, path: '/$', component: NotFoundInSpace }),
] as const

const routeTree = root.addChildren([
  auth.addChildren(authViews),
  signedIn.addChildren([
    ...accountViews,
    postEditor.addChildren(postEditorViews),
    space.addChildren([
      ...spaceViews,
      pageEditor.addChildren(pageEditorViews),
      partEditor.addChildren(partEditorViews),
      recordEditor.addChildren(recordEditorViews),
    ]),
  ]),
])

/** How long a view may load before a placeholder is shown, in ms. */
const PENDING_DELAY = 150

export const router = createRouter({
  routeTree,
  basepath: new URL(document.baseURI).pathname,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: PENDING_DELAY,
  // The router would keep the placeholder for at least 500 ms, even if the view has loaded in the meantime.
  defaultPendingMinMs: 0,
  defaultPendingComponent: Loading,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFound,
  InnerWrap: WithNotifications,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Set for views that use the full width, such as editors with a preview. */
    isWide?: true
  }
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The handle of the account that was just deleted. */
    deletedHandle?: string
    /** Whether the space was just created. */
    isNewSpace?: boolean
    /** Keeps the focus in place, because only the URL changes. */
    keepsFocus?: boolean
  }
}

const redirectToSignIn = async () => {
  const { pathname, href } = router.state.location
  // During this redirect, views that are still mounted may fail again. Ignore those failures.
  if (pathname === '/sign-in' || router.state.matches.every(({ routeId }) => routeId !== '/signed-in')) return
  // A background query must not interrupt someone with unsaved changes. The editor says how to continue.
  if (isLeavingGuarded()) return
  await router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { next: href }, replace: true })
  clearCache()
}

onSignedOut(() => void redirectToSignIn())
