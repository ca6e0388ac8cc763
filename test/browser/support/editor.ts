import type { Page } from 'playwright-core'

/** Replaces the text of an editor in one step, as if it were pasted. */
export const write = async (page: Page, text: string, label: string | RegExp = 'Value'): Promise<void> => {
  const editor = page.getByRole('textbox', { name: label })
  await editor.click()
  await page.keyboard.press('Control+a')
  // Delete the text first. If text is inserted over highlighted text, Chromium adds a style attribute, and the security
  // policy blocks this attribute.
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}
