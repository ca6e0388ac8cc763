/**
 * An independent check of sanitized pages. It shares no tables, patterns or traversal with the sanitizer: it has its
 * own lists of allowed elements and forbidden attributes, parses addresses with the URL parser, and checks the page
 * both as text and as a tree.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const harmless = new Set(
  (
    'html,head,title,meta,link,style,body,address,article,aside,footer,header,h1,h2,h3,h4,h5,h6,hgroup,main,nav,section,' +
    'search,blockquote,dd,div,dl,dt,figcaption,figure,hr,li,menu,ol,p,pre,ul,dir,center,a,abbr,acronym,b,bdi,bdo,big,' +
    'br,cite,code,data,dfn,em,font,i,kbd,mark,nobr,q,rb,rp,rt,rtc,ruby,s,samp,small,span,strike,strong,sub,sup,time,' +
    'tt,u,var,wbr,area,audio,img,map,track,video,picture,source,del,ins,caption,col,colgroup,table,tbody,td,tfoot,th,' +
    'thead,tr,details,summary,dialog,meter,progress,marquee'
  ).split(','),
)

const formulas = new Set(
  (
    'math,semantics,annotation,mrow,mi,mn,mo,ms,mtext,mspace,mfrac,msqrt,mroot,mstyle,merror,mpadded,mphantom,mfenced,' +
    'menclose,msub,msup,msubsup,munder,mover,munderover,mmultiscripts,mprescripts,none,mtable,mtr,mlabeledtr,mtd'
  ).split(','),
)
const formulaText = new Set(['mi', 'mn', 'mo', 'ms', 'mtext', 'annotation'])

const acting =
  /^(?:on.*|action|formaction|form|formtarget|ping|attributionsrc|srcdoc|data|code|codebase|classid|archive|http-equiv|is|slot|part|nonce|manifest|autofocus|contenteditable|xmlns.*|xlink:.*|xml:.*|popovertarget.*|command.*|interest.*|shadowroot.*|imagesrcset|lowsrc|dynsrc|profile|integrity|http.*|blocking|as)$/

// Attributes that never contain an address, so a colon in them is harmless.
const prose =
  /^(?:data-.*|aria-.*|style|title|alt|class|id|lang|content|media|sizes|type|summary|name|label|value|abbr|headers|download|prefix|property|datetime|itemprop|itemref|role|accesskey|typeof|datatype|notation|separators)$/
const candidates = /^(?:srcset)$/
const followed = new Set(['a', 'area', 'blockquote', 'q', 'ins', 'del'])
const schemesForReaders = new Set(
  'http: https: mailto: tel: sms: smsto: sip: sips: xmpp: irc: ircs: im: matrix: geo: magnet: news: nntp: webcal: openpgp4fpr: bitcoin: urn: ftp: ftps: sftp: ssh: irc6: snews: bitcoincash: ethereum: lightning: litecoin: monero: dogecoin: mms: mmsto: acct: at: did: dns: doi: finger: gemini: git: gopher: hdl: info: ipfs: ipns: isbn: mid: nostr: podcast: rsync: rtsp: spotify: svn: tag: telnet: dat: hyper: payto: skype: callto: facetime: whatsapp: tg: viber: threema: mumble: ts3server: zoommtg: steam: maps: market: itms: itms-apps:'.split(
    ' ',
  ),
)

/** Returns the addresses in a `srcset`, parsed as the HTML standard describes. */
function candidateAddresses(value: string): string[] {
  const found: string[] = []
  let rest = value
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '')
    if (rest === '') return found
    const address = /^\S+/.exec(rest)?.[0] ?? ''
    rest = rest.slice(address.length)
    found.push(address.replace(/,+$/, ''))
    if (!address.endsWith(',')) rest = rest.replace(/^(?:\([^)]*\)?|[^,(])*/, '')
  }
}

function addressProblem(element: string, attribute: string, value: string): string | undefined {
  if (!URL.canParse(value, 'https://page.test/')) return undefined
  const { protocol, pathname } = new URL(value, 'https://page.test/')
  const said = `${element} ${attribute}=${JSON.stringify(value.slice(0, 60))}`
  if (protocol === 'http:' || protocol === 'https:') return undefined
  const carries = [
    'img',
    'source',
    'video',
    'audio',
    'track',
    'body',
    'table',
    'tr',
    'td',
    'th',
    'tbody',
    'thead',
    'tfoot',
    'link',
  ]
  if (protocol === 'data:' && carries.includes(element)) {
    if (element === 'link' && /^image\//i.test(pathname)) return undefined
    return /^(?:image\/(?!svg)|audio\/|video\/)/i.test(pathname) ? undefined : `data: address: ${said}`
  }
  const follows =
    followed.has(element) ||
    ['longdesc', 'itemid', 'itemtype', 'about', 'resource', 'vocab'].includes(attribute) ||
    element === 'link'
  const isForReaders = schemesForReaders.has(protocol) || /^web\+[a-z]+:$/.test(protocol)
  return follows && isForReaders ? undefined : `address: ${said}`
}

function attributeProblems(element: Element): string[] {
  return element.attrs.flatMap(({ name, value, namespace }) => {
    if (namespace !== undefined) return [`namespaced attribute ${name}`]
    if (acting.test(name)) return [`attribute ${name} on ${element.tagName}`]
    if (prose.test(name)) return []
    const addresses = candidates.test(name) ? candidateAddresses(value) : [value]
    return addresses.flatMap(address => addressProblem(element.tagName, name, address) ?? [])
  })
}

function elementProblems(element: Element): string[] {
  const { tagName, namespaceURI } = element
  if (namespaceURI === html.NS.MATHML) return formulaProblems(element)
  if (namespaceURI !== html.NS.HTML) return [`${tagName} in ${namespaceURI}`]
  const isCustom =
    /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/.test(tagName) && !/^(?:font-|annotation-xml$)/.test(tagName)
  if (!harmless.has(tagName) && !isCustom) return [`element ${tagName}`]
  const parent = element.parentNode
  if (parent && 'namespaceURI' in parent && parent.namespaceURI !== html.NS.HTML)
    return [`${tagName} in a formula`]
  return metadataProblems(element)
}

/** Checks that a formula contains only MathML elements, and no elements where a parser could switch to HTML. */
function formulaProblems({ tagName, parentNode }: Element): string[] {
  if (!formulas.has(tagName)) return [`element ${tagName} in a formula`]
  const parent = parentNode && 'tagName' in parentNode ? parentNode : undefined
  const isInFormula = parent?.namespaceURI === html.NS.MATHML
  if (isInFormula === (tagName === 'math')) return [`${tagName} in ${parent?.tagName}`]
  return isInFormula && formulaText.has(parent?.tagName ?? '') ? [`${tagName} where HTML can begin`] : []
}

function metadataProblems({ tagName, attrs }: Element): string[] {
  const attributeOf = (name: string) => attrs.find(attribute => attribute.name === name)?.value ?? ''
  const rel = attributeOf('rel')
  if (tagName === 'link' && /pre(?!v)|import|search|module/i.test(rel)) return [`link rel=${rel}`]
  const isLoaded = /stylesheet|icon|manifest/i.test(rel)
  if (tagName === 'link' && isLoaded && /^\s*(?!https?:|data:)[a-z+.-]+:/i.test(attributeOf('href'))) {
    return [`link rel=${rel} href=${attributeOf('href')}`]
  }
  if (tagName === 'meta' && /^\s*(?:java|vb)script\s*:/i.test(attributeOf('content'))) return ['meta content']
  return []
}

/**
 * Parses the page and returns a description of everything that it should not contain.
 *
 * @param scripting the parser's scripting flag
 */
function treeProblems(page: string, scripting: boolean): string[] {
  const problems: string[] = []
  const left: Node[] = [parse(page, { scriptingEnabled: scripting })]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.nodeName === '#comment') problems.push('comment')
    if ('tagName' in node) problems.push(...elementProblems(node), ...attributeProblems(node))
    if ('content' in node) problems.push('template content')
    if ('childNodes' in node) for (const child of node.childNodes) left.push(child)
  }
  return problems
}

/**
 * Checks the page as text, because some clients ignore the special cases of HTML parsing. A page may contain only text,
 * and tags in a single simple syntax.
 */
function textProblems(page: string): string[] {
  const piece =
    /<!DOCTYPE html(?: PUBLIC "[^"<>]*" "[^"<>]*")?>|<style(?: [a-z][a-z0-9_.:-]*="[^"<>]*")*>(?:[^<]|<(?![/!?a-z]))*<\/style>|<(?!style[ >])[a-z][a-z0-9._-]*(?: [a-z][a-z0-9_.:-]*="[^"<>]*")*>|<\/[a-z][a-z0-9._-]*>|[^<>]+/iy
  while (piece.lastIndex < page.length) {
    const at = piece.lastIndex
    if (!piece.test(page)) return [`not in plain form: ${JSON.stringify(page.slice(at, at + 60))}`]
  }
  return []
}

/** Returns everything that is wrong with a sanitized page; empty for a safe page. */
export function problemsIn(page: string): string[] {
  return [...textProblems(page), ...treeProblems(page, true), ...treeProblems(page, false)]
}
