import { Group, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { useSession, useSignOut } from '../session.ts'
import { RouterAnchor } from '../ui/ButtonLink.tsx'
import classes from './HeaderPanel.module.css'
import { HeaderPanel } from './HeaderPanel.tsx'

const SCHEMES = [
  { value: 'auto', label: 'System', icon: <IconDeviceDesktop size={16} aria-hidden /> },
  { value: 'light', label: 'Light', icon: <IconSun size={16} aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <IconMoon size={16} aria-hidden /> },
] as const

/** Menu with the profile, the color scheme, the list of shortcuts and sign-out. */
export const AccountMenu = ({ showShortcuts }: { showShortcuts: () => void }) => {
  const { handle } = useSession()
  const profile = useQuery(api.me.get.queryOptions({}))
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const [isOpen, { open, close }] = useDisclosure()
  const name = profile.data?.display_name ?? handle
  const item = classes.item ?? ''
  const group = classes.group ?? ''
  return (
    <HeaderPanel
      label="Account menu"
      width={15}
      isOpen={isOpen}
      onOpen={open}
      onClose={close}
      panel={
        <>
          <div className={group}>
            <div className={classes.label}>Signed in as {handle}</div>
            <RouterAnchor to="/account" className={item} onClick={close}>
              <IconUser size={16} aria-hidden /> Your profile
            </RouterAnchor>
          </div>
          <fieldset className={group}>
            <legend className={classes.label}>Appearance</legend>
            {SCHEMES.map(({ value, label, icon }) => (
              <UnstyledButton
                key={value}
                className={item}
                aria-pressed={colorScheme === value}
                onClick={() => setColorScheme(value)}
              >
                {icon} {label}
              </UnstyledButton>
            ))}
          </fieldset>
          <div className={group}>
            <UnstyledButton
              className={item}
              onClick={() => {
                close()
                showShortcuts()
              }}
            >
              <IconKeyboard size={16} aria-hidden /> Keyboard shortcuts
            </UnstyledButton>
            <UnstyledButton className={item} onClick={() => signOut.mutate()} disabled={signOut.isPending}>
              <IconLogout size={16} aria-hidden /> Sign out
            </UnstyledButton>
          </div>
        </>
      }
    >
      <VisuallyHidden>Account menu </VisuallyHidden>
      <Group gap="xs" wrap="nowrap">
        <Monogram src={profile.data?.icon_url ?? null} name={name} size={30} />
        <Text size="sm" c="var(--mantine-color-text)" visibleFrom="xs" maw={160} truncate>
          {handle}
        </Text>
      </Group>
    </HeaderPanel>
  )
}
