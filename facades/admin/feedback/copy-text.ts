import { notifications } from '@mantine/notifications'
import { notifySuccess } from './notify.ts'

/**
 * Copies text to the clipboard and shows a notification. If the browser blocks copying, the notification contains the
 * text.
 *
 * @param what what is copied: "the address"
 */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notifySuccess(`Copied ${what}`)
  } catch {
    notifications.show({
      title: `Your browser blocked copying ${what}`,
      message: text,
      color: 'yellow',
      autoClose: false,
    })
  }
}
