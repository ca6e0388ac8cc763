/** Character references in text that is known to be simple. */

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    mdash: '—',
    ndash: '–',
    hellip: '…',
    laquo: '«',
    raquo: '»',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    middot: '·',
    times: '×',
    deg: '°',
    euro: '€',
    pound: '£',
    sect: '§',
    larr: '←',
    rarr: '→',
    uarr: '↑',
    darr: '↓',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
    ntilde: 'ñ',
    shy: '\u00ad',
  }),
)

// A reference, an ampersand that stands for itself (group 4), or one that might begin a reference without a semicolon.
const inText = /&(?:#(\d{1,7});|#x([\da-f]{1,6});|([a-z]+);|((?=[ \t\n\f&]|$))|)/gi
// In an attribute `&copy=` is not a reference; in addresses such ampersands are common.
const inAttribute = /&(?:#(\d{1,7});|#x([\da-f]{1,6});|([a-z]+);|((?=[ \t\n\f&]|[a-z\d]+=|$))|)/gi

/** Whether a reference to a code point stands for that character; parsers replace some code points with others. */
function isOrdinary(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 || code === 0x09 || code === 0x0a
  return (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code <= 0x10ffff)
}

/**
 * Decodes the references in a text or attribute value.
 * @returns undefined if it contains anything but numbers, common names and single ampersands
 */
export function decodeSimple(value: string, isAttribute: boolean): string | undefined {
  if (!value.includes('&')) return value
  let isSimple = true
  const decoded = value.replace(
    isAttribute ? inAttribute : inText,
    (found: string, decimal?: string, hexadecimal?: string, name?: string, itself?: string) => {
      if (itself !== undefined) return found
      const character = name === undefined ? characterOf(decimal, hexadecimal) : named.get(name)
      isSimple &&= character !== undefined
      return character ?? ''
    },
  )
  return isSimple ? decoded : undefined
}

function characterOf(decimal: string | undefined, hexadecimal: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return isOrdinary(code) ? String.fromCodePoint(code) : undefined
}
