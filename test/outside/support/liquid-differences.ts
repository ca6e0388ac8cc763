/** A deliberate difference from Ruby's Liquid. A case is excused if everything that is given here matches. */
export interface Difference {
  reason: string
  template?: RegExp
  ruby?: RegExp
  ours?: RegExp
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'wrong arguments are no error',
    // The last alternatives are the word at each of the three places in base64.
    ruby: /Liquid[ +]error(?::|%3A)[ +](?!divided by 0|invalid b)|TGlxdWlkIGVycm9|MaXF1aWQgZXJyb3|xpcXVpZCBlcnJvc/i,
  },
  {
    reason: 'white space control of `raw` concerns the text beside each tag',
    template: /raw -%\}|\{%- endraw/,
  },
  // The last alternatives are the character & in a URL, and at each of the three places in base64.
  {
    reason: 'captured output is already escaped for filters',
    template: /capture c/,
    ours: /&|%26|Ji[MNZa]|[CSiy]Yj[MN]|[CSiy]Zs|mIz|JmFtc|mYW1w|ZsdD/,
  },
  {
    reason: 'a piece of captured output is a piece of its escaped form',
    template: /capture c.*\b(?:html|rows|text)\b.*\bc \| (?:slice|truncate|size)/s,
  },
  {
    reason: 'the result of newline_to_br is already escaped',
    template: /\| newline_to_br \| \w/,
    ours: /&lt;|&bmp;|&mp;|^#$/,
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
  {
    reason: 'escaped text is not escaped again',
    template: /\| escape/,
    ours: /&amp;(?:lt|gt|#3\d|quot|amp);|JiMzN/,
  },
  { reason: 'text has no properties', template: /\| map: "name"/, ruby: /name|NAME|Name/ },
  {
    reason: 'text that contains a number is no date',
    template: /\| date: "%/,
    ruby: /day [ \d]\d [A-Z]{3} 00:00|\d{4}-\d\d-\d\d|\d{3} \d\d \d\d \d{10}/,
  },
  { reason: 'so a filter after `date` gets that text', template: /\| date: "%[^"]*" \| / },
  {
    reason: 'an assignment whose filter fails there is made here',
    template: /assign v = [^%]*\| (?:where|compact|map|uniq): /,
    ours: /\[\]/,
  },
  { reason: 'texts after objects keep their order', template: /concat: words \| sort(?:_natural)?: "/ },
  {
    reason: 'a quotation mark is escaped by its number, which is shorter',
    template: /\| escape(?:_once)? \| size/,
  },
  { reason: 'a decimal number can begin with its point', template: /0\.1 \| slice: 1, 3 \| / },
  { reason: 'zero has no sign', ruby: /-0(?:\.0)?(?![\d.])/ },
]
