/**
 * An independent check of sanitized pages. It shares no tables, patterns or traversal with the sanitizer: it lists what
 * must not be there, parses addresses with the URL parser, and checks the page both as text and as a tree.
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

const acting =
  /^(?:on.*|action|formaction|form|formtarget|ping|attributionsrc|srcdoc|data|code|codebase|classid|archive|http-equiv|is|slot|part|nonce|manifest|autofocus|contenteditable|accesskey|xmlns.*|xlink:.*|xml:.*|popovertarget.*|command.*|interest.*|shadowroot.*|imagesrcset|lowsrc|dynsrc|profile|integrity|http.*|blocking|as)$/

// Attributes in which a colon has no meaning.
const prose =
  /^(?:data-.*|aria-.*|style|title|alt|class|id|lang|content|media|sizes|type|summary|name|label|value|abbr|headers|download|prefix|property|datetime|itemprop|itemref|role)$/
const candidates = /^(?:srcset)$/
const followed = new Set(['a', 'area', 'blockquote', 'q', 'ins', 'del'])
const schemesForReaders = new Set(
  'http: https: mailto: tel: sms: smsto: sip: sips: xmpp: irc: ircs: im: matrix: geo: magnet: news: nntp: webcal: openpgp4fpr: bitcoin: urn: ftp: ftps: sftp: ssh:'.split(
    ' ',
  ),
)

/** The addresses in a `srcset`, by the steps of the HTML standard. */
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
  const follows = followed.has(element) || ['longdesc', 'itemid', 'itemtype'].includes(attribute)
  return follows && schemesForReaders.has(protocol) ? undefined : `address: ${said}`
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
  if (namespaceURI !== html.NS.HTML) return [`${tagName} in ${namespaceURI}`]
  if (!harmless.has(tagName)) return [`element ${tagName}`]
  const rel = element.attrs.find(attribute => attribute.name === 'rel')?.value ?? ''
  if (tagName === 'link' && /pre|import|manifest|search|module/i.test(rel)) return [`link rel=${rel}`]
  const content = element.attrs.find(attribute => attribute.name === 'content')?.value ?? ''
  if (tagName === 'meta' && /^\s*(?:java|vb)script\s*:/i.test(content)) return [`meta content=${content}`]
  return []
}

/** Describes everything in the page's tree that should not be there. @param scripting the parser's scripting flag */
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

/** Checks the page as text, for clients that ignore HTML's special cases: only text and tags in one plain form. */
function textProblems(page: string): string[] {
  const piece =
    /<!DOCTYPE html(?: PUBLIC "[^"<>]*" "[^"<>]*")?>|<style(?: [a-z][a-z0-9_.:-]*="[^"<>]*")*>(?:[^<]|<(?![/!?a-z]))*<\/style>|<(?!style\b)[a-z][a-z0-9]*(?: [a-z][a-z0-9_.:-]*="[^"<>]*")*>|<\/[a-z][a-z0-9]*>|[^<>]+/iy
  while (piece.lastIndex < page.length) {
    const at = piece.lastIndex
    if (!piece.test(page)) return [`not in plain form: ${JSON.stringify(page.slice(at, at + 60))}`]
  }
  return []
}

/** Everything wrong with a sanitized page; empty for a safe page. */
export function problemsIn(page: string): string[] {
  return [...textProblems(page), ...treeProblems(page, true), ...treeProblems(page, false)]
}
