import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** The notifications, in a corner of the window. */
export const Notices = () => (
  <Notifications position="bottom-right" containerWidth={420} transitionDuration={180} />
)
