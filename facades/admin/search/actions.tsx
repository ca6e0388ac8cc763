import {
  IconDeviceLaptop,
  IconFilePlus,
  IconKeyboard,
  IconLayoutGridAdd,
  IconLogout,
  IconPencilPlus,
  IconPlus,
  IconRobot,
  IconUpload,
} from '@tabler/icons-react'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { chooseFiles } from '../files/chosen-files.ts'
import { useSession, useSignOut } from '../session.ts'
import { accountViews, operatorViews, spaceViewsFor } from '../shell/menu.tsx'
import { useRole } from '../use-role.ts'
import type { Choice } from './ChoiceField.tsx'

const size = 18

/** The actions and views that the search offers in addition to the items it finds. */
export const useActions = (subdomain: string | undefined, showShortcuts: () => void): Choice[] => {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { is_operator: isOperator } = useSession()
  const role = useRole(subdomain)
  const going = (title: string, icon: Choice['icon'], options: NavigateOptions, text?: string): Choice => ({
    id: `go-${options.to}-${title}`.replaceAll(' ', '-'),
    title,
    icon,
    ...(text === undefined ? {} : { text }),
    choose: () => void navigate(options),
  })
  const inSpace = (params: { subdomain: string }) => [
    going('New page', <IconFilePlus size={size} aria-hidden />, {
      to: '/spaces/$subdomain/new-page',
      params,
    }),
    going('New part', <IconPlus size={size} aria-hidden />, { to: '/spaces/$subdomain/new-part', params }),
    going('New record', <IconPlus size={size} aria-hidden />, {
      to: '/spaces/$subdomain/new-record',
      params,
    }),
    {
      ...going('Upload files', <IconUpload size={size} aria-hidden />, {
        to: '/spaces/$subdomain/files',
        params,
      }),
      choose: () => {
        // Open the picker before the view, because browsers allow it only right after a click or key press.
        chooseFiles(params.subdomain)
        void navigate({ to: '/spaces/$subdomain/files', params })
      },
    },
    ...(role === 'editor'
      ? []
      : [
          going('Connect an agent', <IconRobot size={size} aria-hidden />, {
            to: '/spaces/$subdomain/keys',
            params,
            search: { connect: true },
          }),
          going('Work from your computer', <IconDeviceLaptop size={size} aria-hidden />, {
            to: '/spaces/$subdomain/keys',
            params,
            search: { computer: true },
          }),
        ]),
  ]
  return [
    ...(subdomain === undefined ? [] : inSpace({ subdomain })),
    going('New post', <IconPencilPlus size={size} aria-hidden />, { to: '/new-post' }),
    going('New space', <IconLayoutGridAdd size={size} aria-hidden />, { to: '/new-space' }),
    ...(subdomain === undefined
      ? []
      : spaceViewsFor(role).map(({ to, label, icon }) =>
          going(label, icon, { to, params: { subdomain } }, subdomain),
        )),
    ...[...accountViews, ...(isOperator ? operatorViews : [])].map(({ to, label, icon }) =>
      going(label, icon, { to }, 'You'),
    ),
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      icon: <IconKeyboard size={size} aria-hidden />,
      choose: showShortcuts,
    },
    {
      id: 'sign-out',
      title: 'Sign out',
      icon: <IconLogout size={size} aria-hidden />,
      choose: () => signOut.mutate(),
    },
  ]
}
