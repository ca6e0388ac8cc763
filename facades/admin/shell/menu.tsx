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
  IconPalette,
  IconPuzzle,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconUser,
  IconUserHeart,
  IconUsers,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'

/** A view in the menu. */
export interface MenuItem {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: ReactNode
  /** The letter that opens the view after G. */
  letter?: string
  /** Whether only this exact path makes the item active. */
  exact?: true
  /** Further paths that make the item active. */
  also?: NonNullable<LinkProps['to']>[]
  /** Whether editors of the space do not see it. */
  ownersOnly?: true
}

const size = 18

const spaceViews: MenuItem[] = [
  {
    to: '/spaces/$subdomain',
    label: 'Overview',
    letter: 'O',
    icon: <IconHome size={size} aria-hidden />,
    exact: true,
  },
  {
    to: '/spaces/$subdomain/pages',
    label: 'Pages',
    letter: 'P',
    icon: <IconFile size={size} aria-hidden />,
    also: ['/spaces/$subdomain/new-page'],
  },
  {
    to: '/spaces/$subdomain/parts',
    label: 'Parts',
    letter: 'T',
    icon: <IconPuzzle size={size} aria-hidden />,
    also: ['/spaces/$subdomain/new-part'],
  },
  {
    to: '/spaces/$subdomain/data',
    label: 'Data',
    letter: 'D',
    icon: <IconDatabase size={size} aria-hidden />,
    also: ['/spaces/$subdomain/new-record'],
  },
  {
    to: '/spaces/$subdomain/look',
    label: 'Look',
    letter: 'L',
    icon: <IconPalette size={size} aria-hidden />,
  },
  {
    to: '/spaces/$subdomain/files',
    label: 'Files',
    letter: 'F',
    icon: <IconFiles size={size} aria-hidden />,
  },
  {
    to: '/spaces/$subdomain/history',
    label: 'History',
    letter: 'H',
    icon: <IconHistory size={size} aria-hidden />,
  },
  {
    to: '/spaces/$subdomain/keys',
    label: 'Keys',
    letter: 'K',
    icon: <IconKey size={size} aria-hidden />,
    ownersOnly: true,
  },
  {
    to: '/spaces/$subdomain/participants',
    label: 'Participants',
    icon: <IconUsers size={size} aria-hidden />,
  },
  {
    to: '/spaces/$subdomain/audit',
    label: 'Audit log',
    icon: <IconShieldCheck size={size} aria-hidden />,
    ownersOnly: true,
  },
  {
    to: '/spaces/$subdomain/settings',
    label: 'Settings',
    letter: 'S',
    icon: <IconSettings size={size} aria-hidden />,
  },
]

/** Views of a space for a person with a role; all of them while the role is unknown. */
export const spaceViewsFor = (role: Outputs['participants']['list'][number]['role'] | undefined) =>
  spaceViews.filter(({ ownersOnly }) => !ownersOnly || role !== 'editor')

/** Views of the signed-in person, outside any space. */
export const accountViews: MenuItem[] = [
  {
    to: '/',
    label: 'Spaces',
    letter: 'A',
    icon: <IconLayoutGrid size={size} aria-hidden />,
    exact: true,
    also: ['/new-space'],
  },
  {
    to: '/posts',
    label: 'Posts',
    letter: 'W',
    icon: <IconNotes size={size} aria-hidden />,
    also: ['/new-post'],
  },
  { to: '/people', label: 'People', icon: <IconUserHeart size={size} aria-hidden /> },
  { to: '/account', label: 'Profile', icon: <IconUser size={size} aria-hidden />, exact: true },
  { to: '/account/security', label: 'Security', icon: <IconShieldLock size={size} aria-hidden /> },
  { to: '/account/audit', label: 'Your audit log', icon: <IconShieldCheck size={size} aria-hidden /> },
  { to: '/account/tokens', label: 'Tokens and apps', icon: <IconBrackets size={size} aria-hidden /> },
]

/** Views that only operators see. */
export const operatorViews: MenuItem[] = [
  { to: '/reports', label: 'Reports', icon: <IconFlag size={size} aria-hidden /> },
  { to: '/service', label: 'Service', icon: <IconServer size={size} aria-hidden /> },
]
