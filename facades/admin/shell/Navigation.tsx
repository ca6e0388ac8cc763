import { NavLink, Text } from '@mantine/core'
import {
  IconBrackets,
  IconDatabase,
  IconFile,
  IconFiles,
  IconFlag,
  IconHome,
  IconKey,
  IconLayoutGrid,
  IconNotes,
  IconPuzzle,
  IconSettings,
  IconShieldLock,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { type LinkProps, useMatchRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { RouterAnchor } from './RouterAnchor.tsx'

interface Place {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: ReactNode
  /** Whether views below it are other places. */
  exact?: true
  /** Other paths that belong to it. */
  also?: NonNullable<LinkProps['to']>[]
}

const size = 18

const SPACE: Place[] = [
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
  { to: '/spaces/$subdomain/keys', label: 'Keys', icon: <IconKey size={size} /> },
  { to: '/spaces/$subdomain/participants', label: 'Participants', icon: <IconUsers size={size} /> },
  { to: '/spaces/$subdomain/settings', label: 'Settings', icon: <IconSettings size={size} /> },
]

const PERSON: Place[] = [
  { to: '/', label: 'Spaces', icon: <IconLayoutGrid size={size} />, exact: true, also: ['/new-space'] },
  { to: '/posts', label: 'Posts', icon: <IconNotes size={size} />, also: ['/new-post'] },
  { to: '/account', label: 'Profile', icon: <IconUser size={size} />, exact: true },
  { to: '/account/security', label: 'Security', icon: <IconShieldLock size={size} /> },
  { to: '/account/tokens', label: 'Tokens and clients', icon: <IconBrackets size={size} /> },
]

/** What only the people who run the service have. */
const OPERATOR: Place[] = [{ to: '/reports', label: 'Reports', icon: <IconFlag size={size} /> }]

/** Where one can go: in the space that is open, and as the person. */
export const Navigation = ({ subdomain }: { subdomain: string | undefined }) => {
  const matches = useMatchRoute()
  const { is_operator: isOperator } = useSession()
  const list = (places: Place[], params: Record<string, string>) =>
    places.map(({ to, label, icon, exact, also = [] }) => {
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
        {list(PERSON, {})}
        {isOperator && list(OPERATOR, {})}
      </nav>
    </>
  )
}
