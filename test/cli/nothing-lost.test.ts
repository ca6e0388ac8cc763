import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../facades/cli/failure.ts'
import { digestOf } from '../../facades/cli/folder/content.ts'
import { TestFolder } from './support/folder.ts'
import { LocalSpace } from './support/local-space.ts'

const PATHS = ['pages/a.liquid', 'pages/b.liquid', 'data/c.json', 'files/d.css']

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('edit'), path: fc.constantFrom(...PATHS), line: fc.nat(5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete'), path: fc.constantFrom(...PATHS), line: fc.nat(5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rename'), path: fc.constantFrom(...PATHS), line: fc.nat(5) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('push') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pull', 'push', 'sync'), crash: fc.nat(24) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle') }) },
)
const step: fc.Arbitrary<[number, Action]> = fc.tuple(fc.nat(2), action)

interface Action {
  kind: 'edit' | 'delete' | 'rename' | 'pull' | 'push' | 'sync' | 'settle'
  path?: string
  line?: number
  /** The step of the command before which its process is killed. */
  crash?: number
}

class Killed extends Error {}

/** A place with texts, in which someone edits. */
interface Place {
  texts: () => Promise<Record<string, string>>
  set: (path: string, text: string | null) => Promise<void>
}

const folderPlace = (folder: TestFolder): Place => ({
  texts: async () => {
    const files = await folder.files()
    return Object.fromEntries(Object.entries(files).filter(([path]) => path.includes('/')))
  },
  set: (path, text) => (text === null ? folder.delete(path) : folder.write(path, text)),
})

const spacePlace = (space: LocalSpace): Place => ({
  texts: async () =>
    Object.fromEntries([...space.items].map(([path, { bytes }]) => [path, bytes.toString()])),
  set: async (path, text) => space.set(path, text),
})

const wordsIn = (texts: Record<string, string>) => new Set(Object.values(texts).join('\n').match(/w\d+/g))

/** Writes a new word into a line of a text, or of the list in a record. */
const edited = (path: string, text: string | undefined, line: number, word: string): string => {
  if (path.endsWith('.json')) {
    const list = JSON.parse(text ?? '[]') as string[]
    return JSON.stringify(list.toSpliced(line, 1, word), null, 2)
  }
  return (text ?? '').split('\n').toSpliced(line, 1, word).join('\n')
}

const killedAt = (folder: TestFolder, crash: number | undefined) => {
  let left = crash ?? Number.POSITIVE_INFINITY
  folder.before = () => {
    if (left-- <= 0) throw new Killed()
  }
}

// Set `RUNS` for a longer search.
test('with random edits in two folders and the space, no text is ever in neither place, and all become equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async steps => {
      const space = new LocalSpace()
      const folders = [await TestFolder.create(space), await TestFolder.create(space)]
      const places = [...folders.map(folderPlace), spacePlace(space)]
      let count = 0
      /** The words that nobody has deleted. */
      const alive = new Set<string>()
      /** Lets someone change texts; the words that are gone there afterwards were deleted on purpose. */
      const change = async (place: Place, path: string, text: string | null) => {
        const before = wordsIn(await place.texts())
        await place.set(path, text)
        const after = wordsIn(await place.texts())
        for (const word of before) if (!after.has(word)) alive.delete(word)
        for (const word of after) if (!before.has(word)) alive.add(word)
      }
      const settle = async (place: Place) => {
        for (const path of Object.keys(await place.texts()).filter(path => path.includes('.theirs')))
          await change(place, path, null)
      }
      try {
        for (const path of PATHS)
          for (let line = 0; line < 5; line++)
            await change(places[2]!, path, edited(path, space.text(path), line, `w${++count}`))
        for (const folder of folders) await folder.pull()
        for (const [who, { kind, path = '', line = 0, crash }] of steps) {
          const place = places[who]!
          const text = (await place.texts())[path]
          if (kind === 'edit') await change(place, path, edited(path, text, line, `w${++count}`))
          if (kind === 'delete') await change(place, path, null)
          const target = path.replace('/', '/moved-')
          if (kind === 'rename' && text !== undefined && !(await place.texts())[target]) {
            await place.set(target, text)
            await place.set(path, null)
          }
          if (kind === 'settle') await settle(place)
          const folder = folders[who]
          if (folder && (kind === 'pull' || kind === 'push' || kind === 'sync')) {
            killedAt(folder, crash)
            await folder[kind]().catch((error: unknown) => {
              if (!(error instanceof Failure || error instanceof Killed)) throw error
            })
            killedAt(folder, undefined)
          }
          const everywhere = new Set<string>()
          for (const one of places) for (const word of wordsIn(await one.texts())) everywhere.add(word)
          expect([...alive].filter(word => !everywhere.has(word))).toEqual([])
        }
        for (const folder of [...folders, folders[0]!]) {
          await settle(folderPlace(folder))
          await folder.pull()
          await settle(folderPlace(folder))
          await folder.push()
        }
        const contents = await Promise.all(
          places.map(async place =>
            Object.fromEntries(
              Object.entries(await place.texts()).map(([path, text]) => [
                path,
                digestOf(path, Buffer.from(text)),
              ]),
            ),
          ),
        )
        expect(contents[0]).toEqual(contents[2])
        expect(contents[1]).toEqual(contents[2])
      } finally {
        for (const folder of folders) await folder.remove()
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 6) },
  )
})
