import type { Command } from 'prosemirror-state'
import { insertRule, insertTable, setBlock, toggleList, toggleQuote } from './commands.ts'
import { nodes } from './schema.ts'

/** What the menu that `/` opens can insert or turn a block into. */
export interface BlockChoice {
  label: string
  /** Further words by which it is found. */
  words: string
  /** What to type instead of choosing it. */
  sign?: string
  /** Undefined for a picture, for which the component opens the file picker. */
  command?: Command
}

const heading = (level: number): BlockChoice => ({
  label: `Heading ${level}`,
  words: `h${level} title`,
  sign: '#'.repeat(level),
  command: setBlock(nodes.heading, { level }),
})

export const BLOCK_CHOICES: readonly BlockChoice[] = [
  { label: 'Text', words: 'paragraph', command: setBlock(nodes.paragraph) },
  heading(1),
  heading(2),
  heading(3),
  { label: 'Bulleted list', words: 'ul points', sign: '-', command: toggleList(nodes.bullet_list) },
  { label: 'Numbered list', words: 'ol ordered', sign: '1.', command: toggleList(nodes.ordered_list) },
  { label: 'Quote', words: 'blockquote', sign: '>', command: toggleQuote },
  { label: 'Picture', words: 'image photo' },
  { label: 'Code', words: 'pre block', sign: '```', command: setBlock(nodes.code_block) },
  { label: 'Table', words: 'markdown grid', command: insertTable },
  { label: 'Divider', words: 'line rule hr', sign: '---', command: insertRule },
]

/** Returns the choices whose label or words begin with what was typed after the slash. */
export const choicesFor = (typed: string): readonly BlockChoice[] => {
  const start = typed.toLowerCase()
  return BLOCK_CHOICES.filter(
    ({ label, words }) =>
      `${label.toLowerCase()} ${words}`.split(' ').some(word => word.startsWith(start)) ||
      label.toLowerCase().startsWith(start),
  )
}
