import { Avatar, Button, Group, Menu, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useSession } from '../session.ts'
import { RouterAnchor } from './RouterAnchor.tsx'
import { useSignOut } from './use-sign-out.ts'

const SCHEMES = [
  { value: 'auto', label: 'System', icon: <IconDeviceDesktop size={16} /> },
  { value: 'light', label: 'Light', icon: <IconSun size={16} /> },
  { value: 'dark', label: 'Dark', icon: <IconMoon size={16} /> },
] as const

/** Menu with the profile, the color scheme, the list of shortcuts and sign-out. */
export const AccountMenu = ({ showShortcuts }: { showShortcuts: () => void }) => {
  const { handle } = useSession()
  const profile = useQuery(api.me.get.queryOptions({}))
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
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
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={showShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
          closeMenuOnClick={false}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
