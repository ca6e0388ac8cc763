import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { closePercentBrace, liquidLanguage } from '@codemirror/lang-liquid'
import { markdown } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { CodeLanguage } from './CodeEditor.tsx'
import { liquidCompletions } from './liquid-completions.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * A language with its colours, indentation and proposals.
 *
 * @param vocabulary what is known of the space by the time somebody asks
 */
export const languageOf = (language: CodeLanguage, vocabulary: () => Vocabulary | undefined): Extension => {
  switch (language) {
    case 'liquid':
      return [
        // Its own proposals are a list of names that this service's language is not the same as.
        new LanguageSupport(liquidLanguage, [html().support, closePercentBrace]),
        liquidCompletions(vocabulary),
      ]
    case 'html':
      return html()
    case 'markdown':
      return markdown()
    case 'json':
      return json()
  }
}
