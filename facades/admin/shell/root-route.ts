import { createRootRoute, Outlet } from '@tanstack/react-router'
import { RootFailure, RootNotFound } from './RouteFailure.tsx'

/** The root of all views. */
export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: RootNotFound,
  errorComponent: RootFailure,
})
