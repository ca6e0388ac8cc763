import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconCloudOff } from '@tabler/icons-react'

/** Says while there is no network that nothing can be read or saved. */
export const OfflineBanner = () => {
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" icon={<IconCloudOff aria-hidden />} py="xs" mb="md">
          You are offline. What you see may be old, and nothing can be saved until you are connected again.
        </Alert>
      )}
    </div>
  )
}
