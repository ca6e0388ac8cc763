import { Fragment, Schema } from 'prosemirror-model'
import { type Table, tableMarkdown } from './table-markdown.ts'

const list = { content: 'list_item+', group: 'block' }

/** The value of an attribute. Tests check this file without the types of the DOM. */
const attribute = (element: object, name: string): string | null =>
  (element as { getAttribute: (name: string) => string | null }).getAttribute(name)

/** The style of a pasted element (`paste.ts` renames the attribute). */
const styleOf = (element: object) => attribute(element, 'data-style') ?? ''

const styled = (style: RegExp) => (element: object) => style.test(styleOf(element)) && null

/**
 * What the visual editor can show: the elements of the Markdown of posts, except tables. A `source` block holds Markdown
 * that it cannot show, such as a table, and is edited as text.
 */
export const schema = new Schema({
  nodes: {
    doc: { content: '(block | source)+' },
    paragraph: {
      content: 'inline*',
      group: 'block',
      parseDOM: [{ tag: 'p' }],
      toDOM: () => ['p', 0],
    },
    heading: {
      attrs: { level: { default: 2 } },
      content: '(text | image)*',
      group: 'block',
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map(level => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
    },
    blockquote: {
      content: 'block+',
      group: 'block',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: {
      ...list,
      attrs: { tight: { default: true }, marker: { default: '-' } },
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      ...list,
      attrs: { order: { default: 1 }, tight: { default: true }, marker: { default: '.' } },
      parseDOM: [
        {
          tag: 'ol',
          getAttrs: element => {
            const start = Number(attribute(element, 'start') ?? 1)
            return { order: Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1 }
          },
        },
      ],
      toDOM: ({ attrs }) => (attrs.order === 1 ? ['ol', 0] : ['ol', { start: attrs.order }, 0]),
    },
    list_item: {
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    code_block: {
      attrs: { params: { default: '' } },
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', ['code', 0]],
    },
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    source: {
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      parseDOM: [
        { tag: 'pre[data-source]', preserveWhitespace: 'full', priority: 60 },
        {
          tag: 'table',
          getContent: (table, schema) => Fragment.from(schema.text(tableMarkdown(table as unknown as Table))),
        },
      ],
      toDOM: () => ['pre', { 'data-source': 'Markdown' }, ['code', 0]],
    },
    text: { group: 'inline' },
    image: {
      inline: true,
      attrs: { src: {}, alt: { default: '' }, title: { default: null } },
      group: 'inline',
      draggable: true,
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: element => ({
            src: attribute(element, 'src') ?? '',
            alt: attribute(element, 'alt') ?? '',
            title: attribute(element, 'title'),
          }),
        },
      ],
      toDOM: ({ attrs: { src, alt, title } }) => ['img', title === null ? { src, alt } : { src, alt, title }],
    },
    hard_break: {
      inline: true,
      group: 'inline',
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: element => ({
            href: attribute(element, 'href') ?? '',
            title: attribute(element, 'title'),
          }),
        },
      ],
      toDOM: ({ attrs: { href, title } }) => ['a', title === null ? { href } : { href, title }, 0],
    },
    strong: {
      parseDOM: [
        { tag: 'strong' },
        // Google Docs wraps all of what it copies in such an element.
        { tag: 'b', getAttrs: element => !/font-weight:\s*normal/.test(styleOf(element)) && null },
        { tag: 'span[data-style]', consuming: false, getAttrs: styled(/font-weight:\s*(?:bold|[6-9]00)/) },
      ],
      toDOM: () => ['strong', 0],
    },
    em: {
      parseDOM: [
        { tag: 'em' },
        { tag: 'i' },
        { tag: 'span[data-style]', consuming: false, getAttrs: styled(/font-style:\s*italic/) },
      ],
      toDOM: () => ['em', 0],
    },
    strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s', 0] },
    code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  },
})

/** Types of nodes and marks by name. */
export const { nodes, marks } = schema
