import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { ViewLoadError } from './failure.ts'
import { notifyFailure } from './notify.ts'

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

/**
 * The state of a dialog whose code is loaded when it is opened for the first time.
 *
 * @param load imports the dialog
 * @returns `Dialog`, null unless it is open and loaded
 */
export const useLazyDialog = <Props>(load: () => Promise<ComponentType<Props>>) => {
  const [isOpen, setIsOpen] = useState(false)
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
  const open = async () => {
    setIsOpen(true)
    if (loaded) return
    try {
      const component = await load()
      setLoaded(() => component)
    } catch (cause) {
      setIsOpen(false)
      notifyFailure(new ViewLoadError('The dialog could not be loaded', { cause }))
    }
  }
  return {
    Dialog: isOpen ? loaded : null,
    isOpen,
    isLoading: isOpen && loaded === null,
    open: () => void open(),
    close: () => setIsOpen(false),
  }
}
