import { Stack } from '@mantine/core'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { Following } from './Following.tsx'

/** The people that the account follows. */
export const People = () => (
  <>
    <ViewTitle title="People" text="Only you can see whom you follow." />
    <Stack gap="lg" maw="48rem">
      <Following />
    </Stack>
  </>
)
