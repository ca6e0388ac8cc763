import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'

/** A parsed element. */
interface Seen {
  name: string
  attributes: Record<string, string>
  /** Text content of the element. */
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

/** Returns the elements of an HTML fragment in document order. */
export const elementsOf = (html: string): Seen[] => walk(parseFragment(html))

/** Returns the elements of an HTML document in document order. */
export const elementsOfDocument = (html: string): Seen[] => walk(parse(html))
