import type { CodeLanguage } from '../editor/code-editor-props.ts'

/** Returns the markup that shows a picture, in the language of the text. */
export const pictureSnippet = (url: string, language: CodeLanguage): string =>
  language === 'markdown' ? `![](${url})` : `<img src="${url}" alt="">`
