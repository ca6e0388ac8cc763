/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a template may hold: text, which is escaped, markup, which is not, lists of both, and nothing at all. */
export type Content = string | number | Html | null | undefined | false | readonly Content[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const write = (content: Content): string => {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(write).join('')
  return String(content).replaceAll(/[&<>"']/g, character => ENTITIES[character]!)
}

/** A template in which everything that is filled in is escaped, unless it is markup itself. */
export const html = (strings: TemplateStringsArray, ...contents: Content[]): Html =>
  new Html(String.raw({ raw: strings }, ...contents.map(write)))
