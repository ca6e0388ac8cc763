import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * Renders the views and the notifications. The notifications are inside the router, so that they can contain links to
 * views. The code of the notifications is loaded after the first view; until then, they wait.
 */
export const WithNotifications = ({ children }: { children: ReactNode }) => {
  const [Notices, setNotices] = useState<ComponentType | null>(null)
  const isFirstViewLoaded = useRouterState({ select: state => state.resolvedLocation !== undefined })
  const path = useRouterState({ select: state => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed download is tried again with the next view
  useEffect(() => {
    if (!isFirstViewLoaded || Notices) return
    import('./Notices.tsx').then(
      loaded => setNotices(() => loaded.Notices),
      () => {},
    )
  }, [isFirstViewLoaded, Notices, path])
  return (
    <>
      {Notices && <Notices />}
      {children}
    </>
  )
}
