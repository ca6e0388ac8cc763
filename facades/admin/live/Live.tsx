import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'

/**
 * Follows the changes of a space, and shows who else has it open. The code is loaded after the first view, which does not
 * need it.
 */
export const Live = ({ subdomain }: { subdomain: string | undefined }) => {
  const [LiveSpace, setLiveSpace] = useState<ComponentType<{ subdomain: string }> | null>(null)
  const isFirstViewLoaded = useRouterState({ select: state => state.resolvedLocation !== undefined })
  const isNeeded = subdomain !== undefined && isFirstViewLoaded && LiveSpace === null
  useEffect(() => {
    if (!isNeeded) return
    import('./LiveSpace.tsx').then(
      loaded => setLiveSpace(() => loaded.LiveSpace),
      () => {},
    )
  }, [isNeeded])
  return LiveSpace && subdomain !== undefined && <LiveSpace key={subdomain} subdomain={subdomain} />
}
