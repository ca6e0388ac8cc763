import * as fc from 'fast-check'
import type { Json } from '../../routers/content/data/json.ts'

/** Keys that are likely to collide, with each other or with built-in properties. */
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '', '0', '10', 'a/b', '~', '~1'),
  fc.string({ unit: 'binary', maxLength: 4 }),
)

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0)

/** Any JSON value, as a parser returns it. Several elements of an array often have the same shape. */
export const jsonValue: fc.Arbitrary<Json> = fc
  .letrec<{ text: string }>(tie => ({
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('null', 'true', '1', '"x"', '{}', '[]'),
      fc.oneof(number, fc.string({ unit: 'binary', maxLength: 5 })).map(value => JSON.stringify(value)),
      fc.array(tie('text'), { maxLength: 5 }).map(elements => `[${elements.join()}]`),
      fc
        .array(fc.tuple(key, tie('text')), { maxLength: 4 })
        .map(members => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
    ),
  }))
  .text.map(text => JSON.parse(text) as Json)
