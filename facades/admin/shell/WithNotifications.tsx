import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

/** All views with the notifications, which are inside the router so that they can contain links to views. */
export const WithNotifications = ({ children }: { children: ReactNode }) => (
  <>
    <Notifications position="bottom-right" containerWidth={420} />
    {children}
  </>
)
