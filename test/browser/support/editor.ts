import type { Page } from 'playwright-core'

/** Writes a text in the place of what is in an editor, as somebody does who pastes it. */
export const write = async (page: Page, text: string, label: string | RegExp = 'Value'): Promise<void> => {
  const editor = page.getByRole('textbox', { name: label })
  await editor.click()
  await page.keyboard.press('Control+a')
  // Chromium gives what is written over coloured text that colour in an attribute, which the policy refuses.
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}
