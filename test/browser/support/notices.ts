/** Records the notifications of the dashboard, which disappear after a few seconds. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * A script that runs in each window before the window's own scripts. In a window of the dashboard, the script adds each
 * notification to `window.notices`. Notifications in frames are left out.
 */
export const RECORD_NOTICES = `
  if (top === window && location.pathname.startsWith('/admin')) {
    const kinds = '.mantine-Notification-root, [role=status]'
    window.notices = new Set()
    new MutationObserver(changes => {
      for (const { target, addedNodes } of changes) {
        const around = (target.nodeType === 1 ? target : target.parentElement)?.closest(kinds)
        const added = [...addedNodes].flatMap(node =>
          node.nodeType === 1 ? [...(node.matches(kinds) ? [node] : []), ...node.querySelectorAll(kinds)] : [])
        for (const notice of [...(around ? [around] : []), ...added]) window.notices.add(notice.textContent)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  }
`

/**
 * Waits until the dashboard has shown a notification with this text. Also succeeds if the notification has disappeared
 * again, because the check can come too late on a busy machine.
 */
export const expectNotice = async (page: Page, text: string | RegExp): Promise<void> => {
  const expected = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
  await expect.poll(() => page.evaluate<string[]>('[...window.notices]')).toContainEqual(expected)
}

/** Keeps notifications with an Undo button from closing after ten seconds. */
export const keepUndoOffered = (page: Page): Promise<void> =>
  page.evaluate(`{
    const start = setTimeout
    window.setTimeout = (work, delay, ...given) => start(work, delay === 10_000 ? 600_000 : delay, ...given)
  }`)
