import { createRoute, redirect } from '@tanstack/react-router'
import { queryClient, rpc } from '../api.ts'
import { sessionOptions } from '../session.ts'
import { AuthLayout } from '../shell/AuthLayout.tsx'
import { root } from '../shell/root-route.ts'
import { lazyView } from '../ui/lazy.ts'
import { takeToken } from './link-token.ts'
import { parseReturnTo, type ReturnTo, returnTarget } from './return-to.ts'

/** Views for people who are not signed in. */
export const auth = createRoute({ getParentRoute: () => root, id: 'auth', component: AuthLayout })

/** Redirects a signed-in person to the view they wanted to open. */
const redirectSignedIn = async ({ search, cause }: { search: ReturnTo; cause: string }) => {
  // Right after sign-up the person is signed in, but stays on this view until the recovery codes are saved.
  if (cause === 'stay' || search.again) return
  // Bypass the query cache: a missing session is normal here and must not trigger `onSignedOut`.
  const me = await rpc.accounts.me.query().catch(() => null)
  if (!me) return
  queryClient.setQueryData(sessionOptions.queryKey, me)
  const { url, isView } = returnTarget(search)
  throw isView
    ? redirect({ href: url.pathname + url.search, replace: true })
    : redirect({ href: url.href, reloadDocument: true, replace: true })
}

/** The routes below `auth`. */
export const authViews = [
  createRoute({
    getParentRoute: () => auth,
    path: '/sign-in',
    validateSearch: parseReturnTo,
    beforeLoad: redirectSignedIn,
    component: lazyView(() => import('./SignIn.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/sign-up',
    validateSearch: parseReturnTo,
    beforeLoad: redirectSignedIn,
    component: lazyView(() => import('./SignUp.tsx'), 'SignUp'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/set-up',
    beforeLoad: () => takeToken('set-up'),
    component: lazyView(() => import('./SetUp.tsx'), 'SetUp'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/join',
    beforeLoad: () => takeToken('join'),
    component: lazyView(() => import('./Join.tsx'), 'Join'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/link',
    beforeLoad: () => takeToken('link'),
    component: lazyView(() => import('./AccountLink.tsx'), 'AccountLink'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/recover',
    validateSearch: parseReturnTo,
    component: lazyView(() => import('./Recover.tsx'), 'Recover'),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: '/account-deleted',
    // Redirect, unless the account was deleted just now.
    beforeLoad: ({ location }) => {
      if (location.state.deletedHandle === undefined) throw redirect({ to: '/' })
    },
    component: lazyView(() => import('../account/AccountDeleted.tsx'), 'AccountDeleted'),
  }),
] as const
