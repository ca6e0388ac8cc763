import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'

/** A place that a search can find: its title, what it belongs to, its address, and further words that find it. */
export type Found = readonly [title: string, where: string, href: string, words: string]

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.ParentNode

const attribute = (element: Element, name: string) => element.attrs.find(one => one.name === name)?.value

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])

const find = (node: Node, matches: (element: Element) => boolean): Element[] =>
  childrenOf(node).flatMap(child => [
    ...(defaultTreeAdapter.isElementNode(child) && matches(child) ? [child] : []),
    ...find(child, matches),
  ])

const HEADING = /^h[1-4]$/

/**
 * Lists what a page of the reference explains: its sections, terms, operations, objects and errors, with the names of
 * their fields.
 *
 * @param page the address of the page
 */
export const foundIn = (page: string, text: string): Found[] => {
  const main = parseFragment(text)
  const title = clean(textOf(find(main, ({ tagName }) => tagName === 'h1')[0]!))
  const elements = find(main, element => attribute(element, 'id')?.endsWith('-title') === false)
  const isTerm = ({ tagName }: Element) => tagName === 'div'
  // Of a section and a term with the same title, the section is found first.
  return elements
    .toSorted((a, b) => Number(isTerm(a)) - Number(isTerm(b)))
    .flatMap(element => {
      const [heading] = HEADING.test(element.tagName)
        ? [element]
        : find(element, ({ tagName }) => HEADING.test(tagName) || tagName === 'dt')
      if (!heading) return []
      const hasFields = attribute(element, 'class') === 'operation'
      const route = attribute(element, 'data-path')
      const names = hasFields
        ? find(element, ({ tagName }) => tagName === 'dt').map(term =>
            textOf(find(term, ({ tagName }) => tagName === 'code')[0] ?? term),
          )
        : []
      const words = [
        ...(hasFields ? [attribute(element, 'id')!] : []),
        ...(route === undefined ? [] : [`${attribute(element, 'data-method')} ${route}`]),
        ...new Set(names.map(clean)),
        ...listAfter(element),
      ]
      return [[clean(textOf(heading)), title, `${page}#${attribute(element, 'id')}`, words.join(' ')]]
    })
}

/** The names in the paragraph of code after a heading, such as those of filters. */
const listAfter = (element: Element): string[] => {
  if (!HEADING.test(element.tagName)) return []
  const siblings = childrenOf(element.parentNode!).filter(node => defaultTreeAdapter.isElementNode(node))
  const next = siblings[siblings.indexOf(element) + 1]
  if (next?.tagName !== 'p') return []
  const codes = find(next, ({ tagName }) => tagName === 'code')
  return codes.length > 20 ? codes.map(textOf) : []
}

const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
