/**
 * The elements and attributes of static pages (contract: page kind `static`). These tables are the whole policy:
 * anything not listed here is removed.
 */
import type { ValueRule } from './addresses.ts'
import { link, links, media, picture, resource, samePage, srcset } from './addresses.ts'
import { styleAttribute } from './css.ts'

/** Any text; kept as written. */
const text: ValueRule = value => value

/** Only the four keywords, so that a link cannot navigate a window that another site has named. */
const target: ValueRule = value => (/^_(?:blank|self|top|parent)$/i.test(value) ? value : undefined)

const words = (value: string): string[] => value.split(/[\t\n\f\r ]+/).filter(word => word !== '')

/** Link relations, without `opener`, which would give the target access to this window. */
const linkRelation: ValueRule = value =>
  words(value)
    .filter(word => word.toLowerCase() !== 'opener')
    .join(' ')

const headRelations = new Set(
  words(`stylesheet alternate icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon
    canonical author license help next prev first last up me webmention pingback micropub microsub hub self
    shortlink amphtml manifest indieauth-metadata authorization_endpoint token_endpoint
    privacy-policy terms-of-service`),
)

/** Relations of a `<link>`: metadata, style sheets and icons, but no prefetching. */
const headRelation: ValueRule = value =>
  words(value)
    .filter(word => headRelations.has(word.toLowerCase()))
    .join(' ') || undefined

/** Pages are always delivered as UTF-8, whatever the author declared. */
const charset: ValueRule = () => 'utf-8'

type AttributeTable = Record<string, ValueRule>

const texts = (names: string): AttributeTable => Object.fromEntries(words(names).map(name => [name, text]))

const globalAttributes: AttributeTable = {
  ...texts(`class id dir lang title hidden translate role inert tabindex accesskey popover draggable
    itemscope itemtype itemprop itemref align valign bgcolor color face size width height border
    cellpadding cellspacing nowrap abbr clear compact noshade hspace vspace
    property typeof datatype content`),
  itemtype: links,
  itemid: link,
  about: link,
  resource: link,
  vocab: link,
  style: styleAttribute,
}

const cell = { ...texts('colspan rowspan headers scope axis char charoff'), background: picture }
const rowGroup = { ...texts('char charoff'), background: picture }
const edit = { ...texts('datetime'), cite: link }
const loading = texts('loading decoding referrerpolicy fetchpriority crossorigin')
const playing = { ...texts('controls controlslist loop muted preload autoplay crossorigin'), src: media }

/** Elements with only global attributes. */
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
  style: texts('media type'),
  meta: { ...texts('name property content media'), charset },
  link: {
    ...texts('media type sizes hreflang crossorigin referrerpolicy integrity'),
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

/** Allowed elements with the rules for their attributes; an element's own rules override the global ones. */
const elements: ReadonlyMap<string, ReadonlyMap<string, ValueRule>> = new Map(
  [...plainElements, ...Object.keys(ownAttributes)].map(name => [
    name,
    new Map(Object.entries({ ...globalAttributes, ...(ownAttributes[name] ?? noAttributes) })),
  ]),
)

/**
 * Elements that are removed with their content, because it is code, fallback for code, or useless to readers. Any
 * other element that is not allowed loses its tags and keeps its content: forms, labels, text fields, buttons, the
 * fallback of `object` and `canvas`, `noscript`, and unknown elements.
 */
const removedWithContent: ReadonlySet<string> = new Set(
  words(`script template iframe frame frameset noframes noembed embed applet portal fencedframe param
    select datalist option optgroup selectedcontent input keygen isindex base basefont bgsound`),
)

/** Elements that are written under another name, because their own name changes how the text in them is parsed. */
const writtenAs: ReadonlyMap<string, string> = new Map([
  ['xmp', 'pre'],
  ['listing', 'pre'],
  ['plaintext', 'pre'],
])

/** Returns the name that the sanitized page uses for an element. */
export function writtenName(element: string): string {
  return writtenAs.get(element) ?? element
}

/** Names with a hyphen that belong to SVG and MathML. */
const reservedNames = new Set(
  words(`annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name
    missing-glyph`),
)

/** Matches the name of a custom element. Without scripts, such an element is only a container. */
const customName = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/

const customRules: ReadonlyMap<string, ValueRule> = new Map(Object.entries(globalAttributes))

/** The attribute rules of an element by attribute name; undefined if the element is not allowed. */
export function rulesFor(element: string): ReadonlyMap<string, ValueRule> | undefined {
  const rules = elements.get(element)
  if (rules !== undefined) return rules
  return customName.test(element) && !reservedNames.has(element) ? customRules : undefined
}

/** Whether an element is removed together with its content. */
export function isRemovedWithContent(element: string): boolean {
  return removedWithContent.has(element)
}

/** Whether an attribute is `data-*` or `aria-*`, which are allowed on every element with any value. */
export function isDataOrAria(name: string): boolean {
  return /^(?:data|aria)-[a-z0-9_.:-]+$/.test(name)
}
