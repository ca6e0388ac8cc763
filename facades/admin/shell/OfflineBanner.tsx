import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'
import { useHasOfflineNotice } from '../ui/offline-notices.ts'

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
