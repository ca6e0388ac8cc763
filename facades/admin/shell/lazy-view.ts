import { lazyRouteComponent } from '@tanstack/react-router'
import { ViewLoadError } from '../feedback/failure.ts'

/**
 * Loads a view when it is opened. If its file no longer exists, because a newer dashboard was deployed, the router
 * reloads the document. While offline, a reload would show the browser's error page, so the dashboard shows a failure
 * instead.
 */
export const lazyView: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (cause) {
      throw navigator.onLine ? cause : new ViewLoadError('The view could not be loaded', { cause })
    }
  }, name)
