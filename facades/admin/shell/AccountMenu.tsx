import { Avatar, Button, Group, Menu, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { notifyFailure } from '../feedback/notify.ts'
import { signOut, useSession } from '../session.ts'
import { RouterAnchor } from './RouterAnchor.tsx'

const SCHEMES = [
  { value: 'auto', label: 'System', icon: <IconDeviceDesktop size={16} /> },
  { value: 'light', label: 'Light', icon: <IconSun size={16} /> },
  { value: 'dark', label: 'Dark', icon: <IconMoon size={16} /> },
] as const

/** Menu with the profile, the color scheme and sign-out. */
export const AccountMenu = () => {
  const { handle } = useSession()
  const profile = useQuery(api.me.get.queryOptions({}))
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const signOutMutation = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/sign-in', replace: true }),
    onError: notifyFailure,
  })
  const name = profile.data?.display_name ?? handle
  return (
    <Menu position="bottom-end" width={240} keepMounted={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" px="xs">
          <VisuallyHidden>Account menu </VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <Avatar src={profile.data?.icon_url ?? null} name={name} color="leaf" size={30} alt="" />
            <Text size="sm" c="var(--mantine-color-text)" visibleFrom="xs" maw={160} truncate>
              {handle}
            </Text>
          </Group>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="dimmed">Signed in as {handle}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          renderRoot={props => <RouterAnchor to="/account" {...props} />}
        >
          Your profile
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label c="dimmed">Appearance</Menu.Label>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            leftSection={icon}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            onClick={() => setColorScheme(value)}
            fw={colorScheme === value ? 650 : 400}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => signOutMutation.mutate()}
          disabled={signOutMutation.isPending}
          closeMenuOnClick={false}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
