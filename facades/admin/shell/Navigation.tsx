import { NavLink, Text } from '@mantine/core'
import {
  IconBrackets,
  IconDatabase,
  IconFile,
  IconFiles,
  IconFlag,
  IconHistory,
  IconHome,
  IconKey,
  IconLayoutGrid,
  IconNotes,
  IconPuzzle,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { type LinkProps, useMatchRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { RouterAnchor } from './RouterAnchor.tsx'

interface NavItem {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: ReactNode
  /** Whether only this exact path makes the item active. */
  exact?: true
  /** Further paths that make the item active. */
  also?: NonNullable<LinkProps['to']>[]
}

const size = 18

const SPACE: NavItem[] = [
  { to: '/spaces/$subdomain', label: 'Overview', icon: <IconHome size={size} />, exact: true },
  {
    to: '/spaces/$subdomain/pages',
    label: 'Pages',
    icon: <IconFile size={size} />,
    also: ['/spaces/$subdomain/new-page'],
  },
  {
    to: '/spaces/$subdomain/parts',
    label: 'Parts',
    icon: <IconPuzzle size={size} />,
    also: ['/spaces/$subdomain/new-part'],
  },
  {
    to: '/spaces/$subdomain/data',
    label: 'Data',
    icon: <IconDatabase size={size} />,
    also: ['/spaces/$subdomain/new-record'],
  },
  { to: '/spaces/$subdomain/files', label: 'Files', icon: <IconFiles size={size} /> },
  { to: '/spaces/$subdomain/history', label: 'History', icon: <IconHistory size={size} /> },
  { to: '/spaces/$subdomain/keys', label: 'Keys', icon: <IconKey size={size} /> },
  { to: '/spaces/$subdomain/participants', label: 'Participants', icon: <IconUsers size={size} /> },
  { to: '/spaces/$subdomain/audit', label: 'Audit log', icon: <IconShieldCheck size={size} /> },
  { to: '/spaces/$subdomain/settings', label: 'Settings', icon: <IconSettings size={size} /> },
]

const ACCOUNT: NavItem[] = [
  { to: '/', label: 'Spaces', icon: <IconLayoutGrid size={size} />, exact: true, also: ['/new-space'] },
  { to: '/posts', label: 'Posts', icon: <IconNotes size={size} />, also: ['/new-post'] },
  { to: '/account', label: 'Profile', icon: <IconUser size={size} />, exact: true },
  { to: '/account/security', label: 'Security', icon: <IconShieldLock size={size} /> },
  { to: '/account/audit', label: 'Audit log', icon: <IconShieldCheck size={size} /> },
  { to: '/account/tokens', label: 'Tokens and apps', icon: <IconBrackets size={size} /> },
]

/** The item that only operators see. */
const OPERATOR: NavItem[] = [{ to: '/reports', label: 'Reports', icon: <IconFlag size={size} /> }]

/** The main navigation: the open space, and the person's own views. */
export const Navigation = ({ subdomain }: { subdomain: string | undefined }) => {
  const matches = useMatchRoute()
  const { is_operator: isOperator } = useSession()
  const list = (items: NavItem[], params: Record<string, string>) =>
    items.map(({ to, label, icon, exact, also = [] }) => {
      const active =
        Boolean(matches({ to, params, fuzzy: !exact })) || also.some(to => matches({ to, params }))
      return (
        <NavLink
          key={to}
          renderRoot={props => (
            <RouterAnchor to={to} params={params} activeOptions={{ exact: exact ?? false }} {...props} />
          )}
          label={label}
          leftSection={icon}
          active={active}
          aria-current={active ? 'page' : undefined}
        />
      )
    })
  return (
    <>
      {subdomain && (
        <nav aria-label="Space">
          <Text size="sm" fw={650} px="sm" py={6} truncate>
            {subdomain}
          </Text>
          {list(SPACE, { subdomain })}
        </nav>
      )}
      <nav aria-label="You">
        <Text size="sm" fw={650} px="sm" pt={subdomain ? 'lg' : 6} pb={6}>
          You
        </Text>
        {list(ACCOUNT, {})}
        {isOperator && list(OPERATOR, {})}
      </nav>
    </>
  )
}
