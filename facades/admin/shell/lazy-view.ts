import { lazyRouteComponent } from '@tanstack/react-router'
import { ViewLoadError } from '../feedback/failure.ts'

/**
 * A view that is loaded when it is opened. Where its file is gone, because the service has a newer screen, the router
 * reloads the document; without a network that would put the browser's own page in place of everything, so that is a
 * failure like any other.
 */
export const lazyView: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (cause) {
      throw navigator.onLine ? cause : new ViewLoadError('The view could not be loaded', { cause })
    }
  }, name)
