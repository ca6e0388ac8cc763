import { describe, expect, it } from 'vitest'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'
import { active } from './fixtures/active.ts'
import { addressPlaces, runningAddresses } from './fixtures/addresses.ts'
import { mutation } from './fixtures/mutation.ts'
import { problemsIn } from './oracle.ts'

describe.each(Object.entries({ ...active, ...mutation }))('sanitizing pages with %s', (_, fixtures) => {
  it.each(fixtures)('removes all active content: %s', (_, html) => {
    expect(problemsIn(sanitize(html))).toEqual([])
  })

  it.each(fixtures)('changes nothing if it is repeated: %s', (_, html) => {
    const once = sanitize(html)
    expect(sanitize(once)).toBe(once)
  })
})

describe('addresses that run scripts', () => {
  it.each(addressPlaces)('are removed from %s, however they are disguised', place => {
    const passed = runningAddresses.filter(
      address => problemsIn(sanitize(place.replaceAll('%', () => address))).length > 0,
    )
    expect(passed).toEqual([])
  })

  it.each(addressPlaces)('leave no `javascript` in %s if the address is `javascript:alert(1)`', place => {
    expect(sanitize(place.replaceAll('%', 'javascript:alert(1)'))).not.toContain('javascript')
  })
})

describe('the independent check of sanitized pages', () => {
  const problems: Array<[string, string]> = [
    ['a script', '<script>alert("1")</script>'],
    ['an event attribute', '<p onclick="alert(1)"></p>'],
    ['an address that runs a script', '<a href="java&#10;script:alert(1)"></a>'],
    ['an address that runs a script in a srcset', '<img srcset="/a 1x, javascript:alert(1) 2x">'],
    ['foreign content', '<svg></svg>'],
    ['HTML in a formula', '<math><mtext><b>x</b></mtext></math>'],
    ['a MathML element in a place where HTML can begin', '<math><mi><mrow></mrow></mi></math>'],
    ['an annotation that can be HTML', '<math><annotation-xml></annotation-xml></math>'],
    ['a link in a formula', '<math><mi xlink:href="javascript:alert(1)">x</mi></math>'],
    ['a form', '<form></form>'],
    ['a comment', '<!-- x -->'],
    ['a style sheet with an end tag in it', '<style>p{} </b></style>'],
    ['an unquoted attribute', '<p class=a></p>'],
    ['a refresh', '<meta http-equiv="refresh" content="0">'],
  ]
  it.each(problems)('detects %s', (_, page) => {
    expect(problemsIn(page)).not.toEqual([])
  })
})
