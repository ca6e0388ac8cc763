import { notifications } from '@mantine/notifications'
import { notifySuccess } from './notify.ts'

/**
 * Copies a text and says so; where the browser does not allow it, shows the text to be copied by hand.
 *
 * @param what "the address"
 */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notifySuccess(`Copied ${what}`)
  } catch {
    notifications.show({
      title: `The browser did not let ${what} be copied`,
      message: text,
      color: 'yellow',
      autoClose: false,
    })
  }
}
