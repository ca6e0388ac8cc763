import type { Trial } from './site.ts'

/** A hostile template: what it attempts, its body, and the contents of its space. */
export interface HostileTemplate {
  attempt: string
  html: string
  trial?: Trial
}

/** Maximum length of a body, in characters. */
const MAX = 262_144

/** Repeats `piece` up to the maximum length of a body. */
export function fill(piece: string, before = '', after = ''): string {
  return before + piece.repeat(Math.floor((MAX - before.length - after.length) / piece.length)) + after
}

/** Repeats `piece` the given number of times. */
export const many = (times: number, piece: string) => piece.repeat(times)

/** Templates whose bodies are slow to parse. */
export const SLOW_TO_PARSE: HostileTemplate[] = [
  { attempt: 'nothing but outputs', html: fill('{{a}}') },
  { attempt: 'nothing but filters', html: fill('|a', '{{a', '}}') },
  { attempt: 'nothing but empty tags', html: fill('{%if a%}{%endif%}') },
  { attempt: 'nothing but unclosed tags', html: fill('{%if a%}') },
  { attempt: 'nothing but unclosed outputs', html: fill('{{') },
  { attempt: 'nothing but unclosed brackets', html: fill('[', '{{ a', ' }}') },
  { attempt: 'nothing but brackets', html: fill('[0]', '{{ a', ' }}') },
  { attempt: 'nothing but parentheses', html: fill('(', '{{ ', ' }}') },
  { attempt: 'nothing but quotes', html: fill('"\\', '{{ ', ' }}') },
  { attempt: 'an inline comment of blank lines', html: fill('\n ', '{% # a', ' %}') },
  { attempt: 'nothing but inline comments', html: fill('{%#%}') },
  { attempt: 'unclosed raw text', html: fill('{%endraw ', '{% raw %}') },
  { attempt: 'unclosed comments', html: fill('{% comment %}') },
  { attempt: 'white space between tags that trim it', html: fill('{%- assign a = 1 -%} \n \n ') },
  { attempt: 'a path of a hundred thousand names', html: fill('.a', '{{ a', ' }}') },
  { attempt: 'a condition of a hundred thousand terms', html: fill(' and a', '{% if a', ' %}{% endif %}') },
  {
    attempt: 'a case of a hundred thousand values',
    html: fill('1,', '{% case a %}{% when ', '1 %}{% endcase %}'),
  },
  { attempt: 'a liquid tag of many lines', html: fill('echo a\n', '{% liquid\n', '%}') },
  { attempt: 'nested tags', html: `${many(5000, '{% if a %}')}${many(5000, '{% endif %}')}` },
  {
    attempt: 'a part name that is a template',
    html: `{% render "${fill("{{ 'a' }}").slice(0, 200_000)}" %}`,
  },
  {
    attempt: 'four parts of the maximum size',
    html: '{% render "a" %}{% render "b" %}{% render "c" %}{% render "d" %}',
    trial: { parts: Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, fill(`{{${name}}}`)])) },
  },
  {
    attempt: 'unclosed raw text in many comments',
    html: fill('{% comment %}{% raw %}{% endcomment %}'),
  },
  { attempt: 'comments in a comment', html: `${fill('{% comment %}').slice(0, MAX / 2)}{% endcomment %}` },
  { attempt: 'unclosed end tags', html: fill('{% endcomment ', '{% comment %}') },
  { attempt: 'blocks of white space', html: fill('{% if a %} {% else %} {% endif %}') },
]
