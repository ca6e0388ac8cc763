import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'

let shown = 0
const listeners = new Set<() => void>()

const change = (by: 1 | -1) => {
  shown += by
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Hides the offline banner while an error says that the browser is offline, so that only one message says so. */
export const useOfflineNotice = (isShown: boolean): void => {
  useEffect(() => {
    if (!isShown) return
    change(1)
    return () => change(-1)
  }, [isShown])
}

/** Whether an error on the page says that the browser is offline. */
export const useHasOfflineNotice = (): boolean => useSyncExternalStore(subscribe, () => shown > 0)

/** Warns while the browser is offline, unless an error already says so. */
export const OfflineBanner = () => {
  const { online } = useNetwork()
  const hasNotice = useHasOfflineNotice()
  return (
    <div role="status">
      {!online && !hasNotice && (
        <Alert color="yellow" icon={<IconCloudOff aria-hidden />} py="xs" mb="md">
          You are offline. What you see may be out of date, and you can’t save until you are connected again.
        </Alert>
      )}
    </div>
  )
}
