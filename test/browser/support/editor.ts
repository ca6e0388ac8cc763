import type { Page } from 'playwright-core'

/** Replaces the text of an editor, as pasting does. */
export const write = async (page: Page, text: string, label: string | RegExp = 'Value'): Promise<void> => {
  const editor = page.getByRole('textbox', { name: label })
  await editor.click()
  await page.keyboard.press('Control+a')
  // Text inserted over highlighted text gets a style attribute in Chromium, which the security policy blocks.
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}
