import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { closePercentBrace, liquidLanguage } from '@codemirror/lang-liquid'
import { markdown } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { CodeLanguage, Vocabulary } from './code-editor-props.ts'
import { liquidCompletions } from './liquid-completions.ts'
import { typeOverTags } from './type-over-tags.ts'

/** Typing `%` before `%}` moves the cursor past the existing `%`, as with closing brackets. */
const typeOverPercent = EditorView.inputHandler.of((view, from, to, text) => {
  if (text !== '%' || from !== to || view.state.sliceDoc(from, from + 2) !== '%}') return false
  view.dispatch({ selection: { anchor: from + 1 }, userEvent: 'input.type' })
  return true
})

/**
 * A language's highlighting, indentation and completion.
 *
 * @param vocabulary returns the names that completion suggests, or undefined while they are loading
 */
export const languageOf = (language: CodeLanguage, vocabulary: () => Vocabulary | undefined): Extension => {
  switch (language) {
    case 'liquid':
      return [
        // Omit lang-liquid's own completion: it suggests tags and filters that this service does not have.
        new LanguageSupport(liquidLanguage, [html().support, typeOverPercent, closePercentBrace]),
        liquidCompletions(vocabulary),
        typeOverTags,
      ]
    case 'html':
      return [html(), typeOverTags]
    case 'markdown':
      return markdown()
    case 'json':
      return json()
  }
}
