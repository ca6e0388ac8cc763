import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { RouterAnchor } from '../ui/ButtonLink.tsx'

/** Interval at which a visible window asks for the number of unread notifications, in ms. */
const REFRESH_EVERY = 60_000

const MAX = limits.unreadNotifications

/** The link in the header that opens the notifications, with the number of unread ones if that number is known. */
export const NotificationBell = () => {
  const { data } = useQuery(
    api.notifications.unread.queryOptions(undefined, {
      refetchInterval: REFRESH_EVERY,
      refetchOnWindowFocus: 'always',
    }),
  )
  const count = data?.count ?? 0
  const figure = count < MAX ? `${count}` : `${MAX - 1}+`
  return (
    <Indicator label={figure} disabled={count === 0} size={18} offset={6} color="red.8" zIndex={1}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={count === 0 ? 'Notifications' : `Notifications, ${figure} unread`}
        renderRoot={props => <RouterAnchor to="/notifications" {...props} />}
      >
        <IconBell size={20} aria-hidden />
      </ActionIcon>
    </Indicator>
  )
}
