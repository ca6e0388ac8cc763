import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'

/** An element as a browser would see it. */
interface Seen {
  name: string
  attributes: Record<string, string>
  /** All text in it. */
  text: string
}

type Node = DefaultTreeAdapterTypes.Node

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

const walk = (node: Node): Seen[] => [
  ...('tagName' in node
    ? [
        {
          name: node.tagName,
          attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
          text: textOf(node),
        },
      ]
    : []),
  ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
]

/** All elements of a piece of HTML, in order. */
export const elementsOf = (html: string): Seen[] => walk(parseFragment(html))

/** All elements of a whole document, in order. */
export const elementsOfDocument = (html: string): Seen[] => walk(parse(html))
