import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { closePercentBrace, liquidLanguage } from '@codemirror/lang-liquid'
import { markdown } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { CodeLanguage } from './CodeEditor.tsx'
import { liquidCompletions } from './liquid-completions.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Typing the end of a tag that was put there with its beginning goes over it, as with brackets. */
const typeOverPercent = EditorView.inputHandler.of((view, from, to, text) => {
  if (text !== '%' || from !== to || view.state.sliceDoc(from, from + 2) !== '%}') return false
  view.dispatch({ selection: { anchor: from + 1 }, userEvent: 'input.type' })
  return true
})

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
        new LanguageSupport(liquidLanguage, [html().support, typeOverPercent, closePercentBrace]),
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
