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
  // The last alternatives are the character & in a URL, and at each of the three places in base64.
  {
    reason: 'captured output is already escaped for filters',
    template: /capture c/,
    ours: /&|%26|Ji[MNZa]|[CSiy]Yj[MN]|[CSiy]Zs|mIz|JmFtc|ZsdD/,
  },
  {
    reason: 'a piece of captured output is a piece of its escaped form',
    template: /capture c.*\b(?:html|rows)\b.*\bc \| (?:slice|truncate)/s,
  },
  {
    reason: 'the result of newline_to_br is already escaped',
    template: /\| newline_to_br \| \w/,
    ours: /&lt;/,
  },
  {
    reason: 'a number has no properties, so it is no error and not unique by one',
    template: /assign v = [^%]*\| uniq: "price"/,
    ruby: /\[\]/,
  },
  {
    reason: 'a quotation mark is escaped by its number',
    template: /\| escape/,
    ruby: /%26quot%3B/,
    ours: /%26%2334%3B/,
  },
  { reason: 'a branch of `case` runs once', template: /\bcase\b/ },
  {
    reason: 'a decimal number cannot be divided by zero either',
    template: /divided_by: 0/,
    ours: /Liquid error: divided by 0|\[\]/,
  },
  {
    reason: 'escaped text is not escaped again',
    template: /\| escape/,
    ours: /&amp;(?:lt|gt|#3\d|quot|amp);|JiMzN/,
  },
  { reason: 'text has no properties', template: /\| map/ },
  { reason: 'zero has no sign', ruby: /-0(?:\.0)?(?![\d.])/ },
]
