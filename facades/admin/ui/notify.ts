import { notifications } from '@mantine/notifications'
import { failureOf } from './failure.ts'

/** Shows a success notification for a few seconds. */
export const notifySuccess = (message: string) =>
  void notifications.show({ message, color: 'leaf', autoClose: 4000 })

/** Shows an error notification until it is closed. For actions that cannot show an error next to their button. */
export const notifyFailure = (error: unknown) => {
  const { title, detail, fields } = failureOf(error)
  const message = [detail, ...fields.map(({ message }) => message)].filter(Boolean).join(' ')
  notifications.show({ title, message, color: 'red', autoClose: false, role: 'alert' })
}
