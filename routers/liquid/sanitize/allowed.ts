/**
 * What a static page may consist of (contract: page kind `static`). The tables are the whole policy: an element or an
 * attribute that is not written here does not reach a reader.
 */
import type { ValueRule } from './addresses.ts'
import { link, links, media, picture, resource, samePage, srcset } from './addresses.ts'
import { styleAttribute } from './css.ts'

/** Any text: the attribute is kept as written. */
const text: ValueRule = value => value

/** Only the four targets with a fixed meaning, so that a link cannot reach into a window somebody else has named. */
const target: ValueRule = value => (/^_(?:blank|self|top|parent)$/i.test(value) ? value : undefined)

const words = (value: string): string[] => value.split(/[\t\n\f\r ]+/).filter(word => word !== '')

/** Everything a link may say about its goal, except that the goal may reach back to this window. */
const linkRelation: ValueRule = value =>
  words(value)
    .filter(word => word.toLowerCase() !== 'opener')
    .join(' ')

const headRelations = new Set(
  words(`stylesheet alternate icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon
    canonical author license help next prev me`),
)

/** Relations of a `<link>`: those that say something or load a style or an icon; none that fetches ahead. */
const headRelation: ValueRule = value =>
  words(value)
    .filter(word => headRelations.has(word.toLowerCase()))
    .join(' ') || undefined

/** The page is always delivered as UTF-8, whatever its author declared. */
const charset: ValueRule = () => 'utf-8'

type AttributeTable = Record<string, ValueRule>

const texts = (names: string): AttributeTable => Object.fromEntries(words(names).map(name => [name, text]))

const globalAttributes: AttributeTable = {
  ...texts(`class id dir lang title hidden translate role inert tabindex popover draggable
    itemscope itemtype itemprop itemref align valign bgcolor color face size width height border
    cellpadding cellspacing nowrap abbr clear compact noshade hspace vspace`),
  itemtype: links,
  itemid: link,
  style: styleAttribute,
}

const cell = { ...texts('colspan rowspan headers scope axis char charoff'), background: picture }
const rowGroup = { ...texts('char charoff'), background: picture }
const edit = { ...texts('datetime'), cite: link }
const loading = texts('loading decoding referrerpolicy fetchpriority crossorigin')
const playing = { ...texts('controls controlslist loop muted preload autoplay crossorigin'), src: media }

/** Elements that need no attributes of their own. */
const plainElements = words(`head title
  address article aside blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup
  main nav p pre search section summary
  abbr acronym b bdi bdo big cite code dfn em font i kbd mark nobr rb rp rt rtc ruby s samp small span strike strong
  sub sup tt u var wbr br picture`)

const ownAttributes: Record<string, AttributeTable> = {
  html: texts('prefix'),
  body: {
    ...texts('text link vlink alink topmargin leftmargin marginwidth marginheight'),
    background: picture,
  },
  style: texts('media'),
  meta: { ...texts('name property content media'), charset },
  link: {
    ...texts('media type sizes hreflang crossorigin referrerpolicy'),
    rel: headRelation,
    href: resource,
  },

  a: { ...texts('name download hreflang type referrerpolicy'), href: link, target, rel: linkRelation },
  area: { ...texts('alt shape coords download referrerpolicy'), href: link, target, rel: linkRelation },
  map: texts('name'),

  img: { ...loading, ...texts('alt sizes ismap'), src: picture, srcset, usemap: samePage, longdesc: link },
  source: { ...texts('sizes media type'), src: media, srcset },
  audio: playing,
  video: { ...playing, ...texts('playsinline disablepictureinpicture'), poster: picture },
  track: { ...texts('kind srclang label default'), src: media },

  blockquote: { cite: link },
  q: { cite: link },
  del: edit,
  ins: edit,
  time: texts('datetime'),
  data: texts('value'),
  meter: texts('value min max low high optimum'),
  progress: texts('value max'),
  details: texts('open name'),
  dialog: texts('open'),
  hr: {},

  ul: texts('type'),
  ol: texts('type start reversed'),
  menu: texts('type'),
  dir: texts('type'),
  li: texts('type value'),

  table: { ...texts('summary rules frame bordercolor'), background: picture },
  caption: {},
  colgroup: texts('span char charoff'),
  col: texts('span char charoff'),
  thead: rowGroup,
  tbody: rowGroup,
  tfoot: rowGroup,
  tr: rowGroup,
  td: cell,
  th: cell,

  marquee: texts('behavior direction loop scrollamount scrolldelay truespeed'),
}

const noAttributes: AttributeTable = {}

/** Allowed elements, each with the rules for its attributes (its own over those every element has). */
const elements: ReadonlyMap<string, ReadonlyMap<string, ValueRule>> = new Map(
  [...plainElements, ...Object.keys(ownAttributes)].map(name => [
    name,
    new Map(Object.entries({ ...globalAttributes, ...(ownAttributes[name] ?? noAttributes) })),
  ]),
)

/**
 * Elements that go together with everything in them: their content is code, fallback for code, or nothing a reader
 * could use. Any other element that is not allowed loses its tags and leaves its content: forms, labels, buttons,
 * fallback of `object` and `canvas`, what `noscript` offers, and names nobody knows.
 */
const emptied: ReadonlySet<string> = new Set(
  words(`script template iframe frame frameset noframes noembed embed applet portal fencedframe param
    select datalist option optgroup selectedcontent textarea input keygen isindex
    xmp plaintext base basefont bgsound`),
)

/** The rules for an allowed element's attributes by name; undefined for an element that is not allowed. */
export function rulesFor(element: string): ReadonlyMap<string, ValueRule> | undefined {
  return elements.get(element)
}

/** Whether a refused element takes its content with it. */
export function isEmptied(element: string): boolean {
  return emptied.has(element)
}

/** Whether an attribute is one of those that hold an author's or an assistive program's own words on any element. */
export function isOpenAttribute(name: string): boolean {
  return /^(?:data|aria)-[a-z0-9_.:-]+$/.test(name)
}
