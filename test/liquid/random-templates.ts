/** Pieces of Liquid, combined at random. */
import * as fc from 'fast-check'

/** A short text. */
export const text = fc.string({ unit: 'grapheme', maxLength: 60 })

const value = fc.constantFrom(
  'x',
  'data.list',
  'space.name',
  '"a<b"',
  '3',
  '(1..3)',
  'page',
  'nil',
  'forloop.index',
  'data["list"][0]',
  '__proto__',
  'blank',
)
const filter = fc.constantFrom(
  'upcase',
  'escape',
  'raw',
  'join: ","',
  'split: ""',
  'sort',
  'map: "n"',
  'append: x',
  'json',
  'date: "%Y"',
  'default: 1',
  'size',
  'where: "n", 1',
  'divided_by: 0',
  'slice: -1',
  'nope',
)
const output = fc
  .tuple(value, fc.array(filter, { maxLength: 3 }))
  .map(([of, filters]) => `{{ ${[of, ...filters].join(' | ')} }}`)
/** A piece of a template: text, an output or a tag without an end tag. */
export const leaf = fc.oneof(
  text.map(written => written.replaceAll('{', '(')),
  output,
  fc.constantFrom(
    '{% assign x = data.list %}',
    '{% cycle 1, 2 %}',
    '{% increment x %}',
    '{% break %}',
    '{% render "part", x: 1 %}',
    '{% include "part" %}',
    '{% render x %}',
    '{% # note %}',
    '{% comment %}{% render "no" %}{% endcomment %}',
    '{% raw %}{{ {% endraw %}',
  ),
)
/** A well-formed template. */
export const { body } = fc.letrec<{ body: string }>(tie => ({
  body: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('body'), tie('body')).map(pieces => pieces.join('')),
    fc
      .tuple(value, tie('body'), tie('body'))
      .map(([of, yes, no]) => `{% if ${of} %}${yes}{% else %}${no}{% endif %}`),
    fc.tuple(value, tie('body')).map(([of, inner]) => `{% for x in ${of} %}${inner}{% endfor %}`),
    tie('body').map(inner => `{% capture x %}${inner}{% endcapture %}`),
    tie('body').map(inner => `{% block b %}${inner}{% endblock %}`),
  ),
}))
