import type { CodeLanguage } from '../editor/code-editor-props.ts'

/** What shows a picture in a text of the language. */
export const pictureSnippet = (url: string, language: CodeLanguage): string =>
  language === 'markdown' ? `![](${url})` : `<img src="${url}" alt="">`
