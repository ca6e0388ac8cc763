import { Center, Paper, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { Brand } from './Brand.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'

/** Layout of the views for people who are not signed in (yet). */
export const AuthLayout = () => (
  <>
    <OfflineBanner />
    <Center component="main" id="main" tabIndex={-1} mih="100dvh" p="md">
      <Stack w="100%" maw="27rem" align="stretch" gap="lg">
        <Center>
          <Brand />
        </Center>
        <Paper withBorder radius="lg" p={{ base: 'lg', xs: 'xl' }} shadow="xs">
          <Outlet />
        </Paper>
      </Stack>
    </Center>
  </>
)
