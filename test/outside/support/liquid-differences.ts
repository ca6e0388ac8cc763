/** A deliberate difference from Ruby's Liquid. A case is excused if everything that is given here matches. */
export interface Difference {
  reason: string
  template?: RegExp
  ruby?: RegExp
  ours?: RegExp
}

export const DIFFERENCES: readonly Difference[] = [
  { reason: 'wrong arguments are no error', ruby: /Liquid error: (?!divided by 0|invalid b)/ },
  { reason: '`first` and `last` also take characters of a text', template: /\| (?:first|last)\b/ },
  { reason: 'a number has no size', template: /\| size/ },
  { reason: 'text that contains a number is no date', template: /\| date: "%/ },
  { reason: 'a value that is no list is sorted as a list of one', template: /\| sort/ },
  {
    reason: 'white space control of `raw` concerns the text beside each tag',
    template: /raw -%\}|\{%- endraw/,
  },
  { reason: 'captured output is already escaped for filters', template: /capture c/, ours: /&|JmFtc|ZsdD/ },
  { reason: 'a branch of `case` runs once', template: /\bcase\b/ },
  { reason: 'a decimal number cannot be divided by zero either', template: /divided_by: 0/ },
  {
    reason: 'escaped text is not escaped again',
    template: /\| escape/,
    ours: /&amp;(?:lt|gt|#3|quot|amp);|JiMzN/,
  },
  { reason: 'text has no properties', template: /\| map/ },
  { reason: 'zero has no sign', ruby: /-0/ },
]
