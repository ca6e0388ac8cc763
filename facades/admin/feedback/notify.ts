import { notifications } from '@mantine/notifications'
import { failureOf } from './failure.ts'

/** Says for a moment that something has been done. */
export const notifySuccess = (message: string) =>
  void notifications.show({ message, color: 'leaf', autoClose: 4000 })

/** Says that something done beside the view did not work. It stays until it is closed. */
export const notifyFailure = (error: unknown) => {
  const { title, detail, fields } = failureOf(error)
  const message = [detail, ...fields.map(({ message }) => message)].filter(Boolean).join(' ')
  notifications.show({ title, message, color: 'red', autoClose: false, role: 'alert' })
}
