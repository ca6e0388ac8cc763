import * as fc from 'fast-check'

export const KINDS = ['page', 'part', 'record', 'file'] as const
export type Kind = (typeof KINDS)[number]

const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b')
const text: fc.Arbitrary<string> = fc.constantFrom('1', '2', '3')
/**
 * The key that writes to a name. There are two keys: one belongs to the name `a`, the other to the name `b`. Most
 * writes to a name use the key of that name, so that some items are changed by only one key.
 */
const key = fc.constantFrom('own', 'own', 'own', 'other')
/**
 * Selects an element of a list that is known only when the step runs: 0 is the first element, 0.99 the last. Not
 * `fc.double`, which prefers numbers so close to 0 that almost every step would select the first element.
 */
const which = fc.noBias(fc.nat(99)).map(percent => percent / 100)

const restore = fc.record({
  do: fc.constant('restore' as const),
  which,
  side: fc.constantFrom('before', 'after'),
})

/** A write by one of two keys, or a restore, an import or a change of a setting by a person. */
export const write = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), key, name, text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      key,
      name,
      to: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  // Sets the kind of a page, what a part includes, the description of a record, or the content type of a file.
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set field' as const), key, name, is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key, name }) },
  { weight: 2, arbitrary: restore },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      names: fc.constantFrom(['a'], ['b'], ['a', 'b']),
      text,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set name' as const), text }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('set icon' as const), icon: fc.constantFrom(0, 1, null) }),
  },
)

/** An undo of an actor's changes. `since` selects the first change to undo, usually the actor's first or last. */
const undoOfActor = fc.record({
  of: fc.constant('actor' as const),
  which,
  since: fc.oneof(fc.constant(0), fc.constant(0.99), which),
})
const undoOfOperation = fc.record({ of: fc.constant('operation' as const), which, since: fc.constant(0) })

/** First the undo of an operation, then the undo of an actor's changes, then more undos mixed with restores. */
export const undos = fc
  .tuple(
    undoOfOperation,
    undoOfActor,
    fc.array(
      fc.oneof(
        { weight: 1, arbitrary: undoOfActor },
        { weight: 1, arbitrary: undoOfOperation },
        { weight: 3, arbitrary: restore },
      ),
      { minLength: 3, maxLength: 5, size: 'max' },
    ),
  )
  .map(([first, second, others]) => [first, second, ...others])

type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Write = Generated<typeof write>
/** A write by a key. */
export type KeyWrite = Extract<Write, { key: string }>
export type Restore = Generated<typeof restore>
/** An undo of the changes of an actor or an operation. */
export type Undo = Exclude<Generated<typeof undos>[number], Restore>

/**
 * Returns an element of a list, or undefined if the list is empty.
 *
 * @param index a position between 0 and 0.99, as {@link which} generates it
 */
export const pick = <T>(list: readonly T[], index: number): T | undefined =>
  list[Math.floor(index * list.length)]
