import { filters } from 'liquidjs'
import type { TemplateHint } from '../../api/renderer.ts'
import { CUSTOM_FILTERS } from './filters/custom.ts'
import { literalProblem, type WrittenFilter } from './literal-hints.ts'
import { positionsIn } from './position.ts'
import { isInScript } from './script-types.ts'
import { closestTo } from './suggest.ts'

/** Maximum number of hints for one body. More hints would only repeat what these hints say. */
const MAX_HINTS = 20

/** Maximum length of a name in a hint, in characters. */
const LONGEST_NAME = 60

const KNOWN: ReadonlySet<string> = new Set(Object.keys({ ...filters, ...CUSTOM_FILTERS }))

/**
 * The minimum and maximum number of a filter's arguments, not counting named ones. Filters that are not listed are
 * not checked.
 */
const ARGUMENTS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map(
  (
    [
      [
        'abs ceil floor capitalize downcase upcase escape h escape_once xml_escape first last reverse size strip_html',
        0,
        0,
      ],
      [
        'strip_newlines newline_to_br squish normalize_whitespace url_encode url_decode cgi_escape uri_escape raw',
        0,
        0,
      ],
      ['base64_encode base64_decode base64_url_safe_encode base64_url_safe_decode pop shift', 0, 0],
      ['append prepend at_least at_most plus minus times divided_by modulo concat map push unshift', 1, 1],
      ['remove remove_first remove_last split group_by', 1, 1],
      [
        'round join sort sort_natural uniq compact sum default json jsonify inspect strip lstrip rstrip',
        0,
        1,
      ],
      ['truncate truncatewords date date_to_string date_to_long_string', 0, 2],
      ['date_to_xmlschema date_to_rfc822', 0, 0],
      ['money money_with_currency money_without_currency money_without_trailing_zeros slugify', 0, 1],
      ['slice replace replace_first where reject find find_index has', 1, 2],
      ['replace_last where_exp reject_exp find_exp find_index_exp has_exp group_by_exp', 2, 2],
    ] as const
  ).flatMap(([names, least, most]) => names.split(' ').map(name => [name, [least, most]] as const)),
)

/** Collects the hints for one body while it is parsed. */
export class HintCollector {
  private readonly questionable: WrittenFilter[] = []

  /** Adds a hint if a filter is unknown, or probably does not do what its author expects. */
  consider(filter: WrittenFilter): void {
    if (this.questionable.length < MAX_HINTS && messageFor(filter) !== undefined)
      this.questionable.push(filter)
  }

  /** The hints for the filters that are written in `body` itself, in the order of their positions. */
  hintsFor(body: string): TemplateHint[] {
    const own = this.questionable.filter(({ input }) => input === body).sort((a, b) => a.begin - b.begin)
    const positions = positionsIn(
      body,
      own.map(({ begin }) => begin),
    )
    return own.map((filter, index) => {
      const { name } = filter
      const nearest = KNOWN.has(name) ? null : (closestTo(name.slice(0, LONGEST_NAME), KNOWN) ?? null)
      return {
        message: messageFor(filter) ?? '',
        nearest,
        written: nearest === null ? null : name,
        ...positions[index]!,
      }
    })
  }
}

function messageFor(filter: WrittenFilter): string | undefined {
  const { name, args } = filter
  if (!KNOWN.has(name)) {
    return `There is no filter “${name.slice(0, LONGEST_NAME)}”, so the value is not changed.`
  }
  const [least, most] = ARGUMENTS.get(name) ?? [0, Number.POSITIVE_INFINITY]
  const given = args.filter(arg => !Array.isArray(arg)).length
  if (given >= least && given <= most) return unescapedJson(filter) ?? literalProblem(filter)
  const takes =
    most === 0 ? 'no arguments' : `${least === most ? least : `${least} or ${most}`} ${plural(most)}`
  const effect = given > most ? 'Further arguments are ignored.' : 'Missing arguments count as empty.'
  return `The filter “${name}” takes ${takes}, but has ${given}. ${effect}`
}

/** JSON that is printed in a script, but for HTML. */
function unescapedJson({ name, input, begin }: WrittenFilter): string | undefined {
  if (name !== 'json' && name !== 'jsonify') return undefined
  const isLast = /^\w+\s*(?::\s*\d+\s*)?-?\}\}/.test(input.slice(begin, begin + LONGEST_NAME))
  return isLast && isInScript(input, begin)
    ? 'In a script, write “| json | raw”: without “raw”, quotes are printed as &#34;, and the script does not run.'
    : undefined
}

const plural = (count: number) => (count === 1 ? 'argument' : 'arguments')
