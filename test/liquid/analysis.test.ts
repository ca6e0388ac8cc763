import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'

const renderer = sharedRenderer()

describe('the analysis of a body', () => {
  it.each([
    [
      'in all three tags, with single and double quotes',
      `{% layout "c" %}{% render 'a' %}{% include "b" %}`,
      ['a', 'b', 'c'],
    ],
    ['unique and sorted', '{% render "b" %}{% render "a" %}{% include "b" %}', ['a', 'b']],
    ['with hyphens and underscores', '{%- render "side-bar_1" -%}', ['side-bar_1']],
    [
      'with arguments',
      '{% render "a", x: 1 %}{% render "b" with x as y %}{% render "c" for xs as x %}',
      ['a', 'b', 'c'],
    ],
    ['in a capture', '{% capture x %}{% render "a" %}{% endcapture %}', ['a']],
    [
      'in a case',
      '{% case x %}{% when 1 %}{% render "a" %}{% else %}{% render "b" %}{% endcase %}',
      ['a', 'b'],
    ],
    ['in a table row', '{% tablerow i in x %}{% render "a" %}{% endtablerow %}', ['a']],
    ['in a liquid tag', '{% liquid\n if x\n render "a"\n endif\n include "b"\n%}', ['a', 'b']],
    [
      'in loops and conditions',
      '{% for i in x %}{% if i %}{% render "a" %}{% else %}{% render "b" %}{% endif %}{% else %}{% render "c" %}{% endfor %}',
      ['a', 'b', 'c'],
    ],
    ['in blocks of a layout', '{% layout "l" %}{% block x %}{% render "a" %}{% endblock %}', ['a', 'l']],
    ['in ifchanged', '{% ifchanged %}{% render "a" %}{% endifchanged %}', ['a']],
    ['but not names in variables', '{% render x %}{% include y %}{% layout none %}', []],
    ['but not names built from outputs', '{% render "a{{ x }}" %}', []],
    ['but not in a comment', '{% comment %}{% render "a" %}{% endcomment %}{% # render "b" %}', []],
    ['but not in raw text', '{% raw %}{% render "a" %}{% endraw %}', []],
    ['but not in a doc tag', '{% doc %}{% render "a" %}{% enddoc %}', []],
    ['but not in an output', `{{ "{% render 'a' %}" }}`, []],
    ['but not invalid part names', '{% render "../x" %}{% render "A" %}{% render "" %}', []],
  ])('finds the names of included parts: %s', async (_where, html, references) => {
    expect(await renderer.analyze(html, 'account')).toEqual({ references, parses: true, hints: [] })
  })

  it.each([
    ['after an unclosed block tag', '{% if x %}{% render "a" %}', ['a']],
    ['before and after an unknown tag', '{% render "a" %}{% nonsense %}{% include "b" %}', ['a', 'b']],
    ['after an unclosed output', '{{ x {% render "a" %}', ['a']],
    ['in an unclosed tag', '{% render "a"', ['a']],
    ['after an unclosed tag', '{% if x {% layout "a" %}', ['a']],
    ['inside an unclosed comment', '{% comment %}{% render "a" %}', ['a']],
    ['in a liquid tag', '{% if %}{% liquid\n render "a"\n comment\n render "b"\n endcomment\n%}', ['a']],
    [
      'but not inside closed comments',
      '{% if x %}{% comment %}{% render "a" %}{% endcomment %}{% raw %}{% render "b" %}{%- endraw %}',
      [],
    ],
    ['but not inside outputs', `{% if x %}{{ "{% render 'a' %}" }}`, []],
  ])('finds part names in a body that is not valid Liquid: %s', async (_where, html, references) => {
    expect(await renderer.analyze(html, 'account')).toEqual({ references, parses: false, hints: [] })
  })

  it('finds part names in a body of the maximum size that is full of unclosed tags', async () => {
    const html = `${'{%comment%}{{'.repeat(20_000)}{% render "a" %}`
    expect(await renderer.analyze(html, 'account')).toEqual({ references: ['a'], parses: false, hints: [] })
  })
})
