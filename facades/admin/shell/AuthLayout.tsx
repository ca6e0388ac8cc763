import { Box, Center, Paper, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { OfflineBanner } from '../ui/offline.tsx'
import { Brand } from './Brand.tsx'

/** Layout of the views for people who are not signed in. */
export const AuthLayout = () => (
  <>
    <OfflineBanner />
    {/* Not centered vertically: the form would move whenever something appears below it. */}
    <Box component="main" id="main" tabIndex={-1} px="md" pb="md" pt={{ base: 'md', xs: '14dvh' }}>
      <Stack maw="27rem" mx="auto" gap="lg">
        <Center>
          <Brand />
        </Center>
        <Paper withBorder radius="lg" p={{ base: 'lg', xs: 'xl' }} shadow="xs">
          <Outlet />
        </Paper>
      </Stack>
    </Box>
  </>
)
