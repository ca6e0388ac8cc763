/** Data of generated templates: the values that authors' records contain. */
export const DATA = {
  text: 'Fish & Chips, twice',
  hollow: '',
  spaces: '  a  b\n c ',
  number: 7,
  minus: -3,
  decimal: 2.5,
  digits: '12',
  price: '4.50',
  yes: true,
  no: false,
  none: null,
  words: ['pear', 'Apple', 'fig', 'apple'],
  numbers: [3, 1, 10, 2],
  vacant: [],
  rows: [
    { name: 'Soup', price: 4, hot: true },
    { name: 'Ice', price: 3, hot: false },
    { name: 'tea', price: 4, hot: true },
  ],
  day: '2026-11-07T15:04:05Z',
  html: '<p class="x">a &amp; <b>b</b></p>',
  accents: 'Ünïcode ÄRGER 💚',
}

/** The filters of Ruby's Liquid, each with the arguments that it is tried with. */
const FILTERS: Record<string, readonly (readonly string[])[]> = {
  ...Object.fromEntries(
    'upcase downcase capitalize strip lstrip rstrip strip_html strip_newlines newline_to_br escape escape_once size first last reverse abs ceil floor url_encode url_decode base64_encode base64_url_safe_encode'
      .split(' ')
      .map(name => [name, [[]]]),
  ),
  append: [['"x"'], ['number'], ['none']],
  prepend: [['"x"'], ['text']],
  at_least: [['5'], ['"3"'], ['decimal']],
  at_most: [['5'], ['minus']],
  plus: [['2'], ['"1.5"'], ['none'], ['text']],
  minus: [['2'], ['decimal']],
  times: [['3'], ['"0.5"'], ['minus']],
  divided_by: [['2'], ['minus'], ['0'], ['2.5']],
  modulo: [['3'], ['minus'], ['2.5'], ['0']],
  round: [[], ['1'], ['0']],
  default: [['"d"'], ['number'], ['"d", allow_false: true']],
  join: [[], ['", "'], ['none']],
  split: [['" "'], ['","'], ['""'], ['"a"']],
  replace: [['"a"', '"b"'], ['""', '"-"'], ['"a"']],
  replace_first: [
    ['"a"', '"b"'],
    ['" "', 'number'],
    ['""', '"-"'],
  ],
  replace_last: [
    ['"a"', '"b"'],
    ['"p"', 'none'],
    ['""', '"-"'],
  ],
  remove: [['"a"'], ['" "']],
  remove_first: [['"p"'], ['"x"']],
  remove_last: [['"p"'], ['"x"']],
  slice: [['0'], ['1', '3'], ['-2'], ['-3', '2'], ['2', '100'], ['99']],
  truncate: [[], ['5'], ['5', '"…"'], ['0'], ['3', '""']],
  truncatewords: [[], ['1'], ['2', '"…"'], ['0']],
  sort: [[], ['"name"'], ['"price"']],
  sort_natural: [[], ['"name"']],
  uniq: [[], ['"price"']],
  compact: [[], ['"hot"']],
  map: [['"name"'], ['"nothing"']],
  where: [['"hot"'], ['"price"', '4'], ['"name"', '"Ice"']],
  concat: [['words'], ['vacant']],
  date: [['"%Y-%m-%d"'], ['"%A %e %^b %H:%M"'], ['"%j %U %V %s"'], ['""']],
}

const LITERALS = [
  '"a,b,,c"',
  "'it\\'",
  '5',
  '-2',
  '0.1',
  '1.0',
  'true',
  'nil',
  '(1..4)',
  '"November 7th, 2026"',
  '"100%"',
]
const NAMES = [
  ...Object.keys(DATA),
  'nothing',
  'rows[0].name',
  'rows.first.price',
  'words.last',
  'text.size',
  'rows[1]["hot"]',
  'words[-1]',
  'numbers.size',
]
const CONDITIONS = ['==', '!=', '<', '>=', 'contains', '<>']

/** A generator of templates. The same seed generates the same templates. */
export class TemplateGenerator {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** A template with tags in tags, outputs and filters. */
  next(): string {
    return this.chance(3) ? this.body(2) : this.output(1 + this.below(2))
  }

  private below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.state / 2 ** 32) * limit)
  }

  private chance(of: number): boolean {
    return this.below(of) === 0
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }

  private value(): string {
    return this.chance(3) ? this.pick(LITERALS) : this.pick(NAMES)
  }

  private filters(count: number): string {
    let chain = ''
    for (let at = 0; at < count; at++) {
      const name = this.pick(Object.keys(FILTERS))
      const args = this.pick(FILTERS[name]!)
      chain += ` | ${name}${args.length > 0 ? `: ${args.join(', ')}` : ''}`
    }
    return chain
  }

  private dash(): string {
    return this.chance(5) ? '-' : ''
  }

  private output(filters: number): string {
    return `{{${this.dash()} ${this.value()}${this.filters(filters)} ${this.dash()}}}`
  }

  private tag(text: string): string {
    return `{%${this.dash()} ${text} ${this.dash()}%}`
  }

  private condition(): string {
    const single = this.chance(2) ? this.value() : `${this.value()} ${this.pick(CONDITIONS)} ${this.value()}`
    return this.chance(4) ? `${single} ${this.pick(['and', 'or'])} ${this.value()}` : single
  }

  private text(): string {
    return this.pick([' ', '\n', 'x', ' - ', '\n  y\n', ''])
  }

  private body(depth: number): string {
    let body = ''
    for (let count = 1 + this.below(3); count > 0; count--)
      body +=
        this.text() + (depth === 0 || this.chance(3) ? this.output(this.below(2)) : this.block(depth - 1))
    return body + this.text()
  }

  private block(depth: number): string {
    const inner = () => this.body(depth)
    return this.pick([
      () =>
        `${this.tag(`if ${this.condition()}`)}${inner()}${this.tag('else')}${inner()}${this.tag('endif')}`,
      () =>
        `${this.tag(`if ${this.condition()}`)}${inner()}${this.tag(`elsif ${this.condition()}`)}${inner()}${this.tag('endif')}`,
      () => `${this.tag(`unless ${this.condition()}`)}${inner()}${this.tag('endunless')}`,
      () =>
        `${this.tag(`for i in ${this.pick(['words', 'numbers', 'rows', 'vacant', '(1..3)', 'nothing'])}${this.pick(['', ' reversed', ' limit: 2', ' offset: 1', ' limit: 1 offset: 1'])}`)}${this.pick(['{{ i }}', '{{ forloop.index }}', '{{ i.name }}', '{{ forloop.last }}', '{% if forloop.first %}{% continue %}{% endif %}.', '{% break %}'])}${inner()}${this.tag('else')}none${this.tag('endfor')}`,
      () =>
        `${this.tag(`case ${this.value()}`)} ${this.tag(`when ${this.value()}, ${this.value()}`)}${inner()}${this.tag(`when ${this.value()}`)}${inner()}${this.tag('else')}${inner()}${this.tag('endcase')}`,
      () => `${this.tag('capture c')}${inner()}${this.tag('endcapture')}[{{ c${this.filters(1)} }}]`,
      () => `${this.tag(`assign v = ${this.value()}${this.filters(1)}`)}[{{ v }}]`,
      () => `${this.tag('raw')}{{ a }}{% b${this.tag('endraw')}`,
      () => `${this.tag('comment')}{{ a }}${inner()}${this.tag('endcomment')}`,
      () => `{% cycle "a", "b" %}{% cycle "a", "b" %}{% increment n %}{% decrement n %}`,
      () =>
        `${this.tag(`tablerow i in ${this.pick(['words', 'numbers', '(1..3)'])} cols:2`)}{{ i }}${this.tag('endtablerow')}`,
      () => this.tag(`echo ${this.value()}${this.filters(1)}`),
      () => `{% liquid\n assign w = ${this.value()}\n echo w${this.filters(1)}\n%}`,
    ])()
  }
}
