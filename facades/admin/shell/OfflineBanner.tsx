import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'

/** Warns while the browser is offline. */
export const OfflineBanner = () => {
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" icon={<IconCloudOff aria-hidden />} py="xs" mb="md">
          You are offline. What you see may be out of date, and you can’t save until you are connected again.
        </Alert>
      )}
    </div>
  )
}
