import { Stack } from '@mantine/core'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { Following } from './Following.tsx'
import { Muted } from './Muted.tsx'

/** The people whom the account follows, and the people whom it has muted or blocked. */
export const People = () => (
  <>
    <ViewTitle title="People" text="Only you can see whom you follow, mute or block." />
    <Stack gap="lg" maw="48rem">
      <Following />
      <Muted />
    </Stack>
  </>
)
