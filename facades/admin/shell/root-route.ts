import { createRootRoute, notFound, Outlet } from '@tanstack/react-router'
import { RootFailure, RootNotFound } from './RouteFailure.tsx'

/** Maximum length of a path segment, in characters. Every id, name and key in a path is shorter. */
const MAX_SEGMENT = 100

/** The root of all views. */
export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: RootNotFound,
  errorComponent: RootFailure,
  // With a longer id, a call could be too long to send. The service would then seem to be unreachable.
  beforeLoad: ({ location }) => {
    if (location.pathname.split('/').some(({ length }) => length > MAX_SEGMENT)) throw notFound()
  },
})
