import { describe, expect, test } from 'vitest'
import { TestFolder } from './support/folder.ts'
import { LocalSpace } from './support/local-space.ts'

class Killed extends Error {}

/** Steps that change what the next command finds, besides texts for merges that nothing refers to yet. */
const isLasting = (step: string) => /^(?:put|remove|move) (?!\.space\/(?:base|lock))/.test(step)

/** Runs a command whose process is killed before a step. @returns the steps before it */
const killed = async (folder: TestFolder, command: 'pull' | 'push', index: number): Promise<string[]> => {
  const steps: string[] = []
  folder.before = step => {
    if (isLasting(step) && steps.push(step) > index) throw new Killed()
  }
  await folder[command]().catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
  folder.before = () => {}
  return steps
}

const withFolder = async <Result>(
  work: (space: LocalSpace, folder: TestFolder) => Promise<Result>,
): Promise<Result> => {
  const space = new LocalSpace()
  for (const name of ['taken', 'merged', 'deleted', 'conflict'])
    space.set(`pages/${name}.liquid`, 'one\ntwo\nthree')
  const folder = await TestFolder.create(space)
  try {
    await folder.pull()
    return await work(space, folder)
  } finally {
    await folder.remove()
  }
}

describe('whenever its process is killed', () => {
  const changeBoth = async (space: LocalSpace, folder: TestFolder) => {
    space.set('pages/taken.liquid', 'one\ntwo\nthree\nfour', { kind: 'static' })
    await folder.write('pages/merged.liquid', 'ONE\ntwo\nthree\n')
    space.set('pages/merged.liquid', 'one\ntwo\nTHREE')
    space.set('pages/deleted.liquid', null)
    await folder.write('pages/conflict.liquid', 'mine\n')
    space.set('pages/conflict.liquid', 'theirs')
    space.set('data/added.json', '[1]')
  }

  test('the next pull gives the same folder', async () => {
    const whole = await withFolder(async (space, folder) => {
      await changeBoth(space, folder)
      const steps = await killed(folder, 'pull', Number.POSITIVE_INFINITY)
      return { steps, files: await folder.files() }
    })
    expect(whole.files).toMatchObject({
      'pages/merged.liquid': 'ONE\ntwo\nTHREE\n',
      'pages/conflict.liquid': 'mine\n',
      'pages/conflict.theirs.liquid': 'theirs\n',
    })
    for (const index of whole.steps.keys()) {
      const files = await withFolder(async (space, folder) => {
        await changeBoth(space, folder)
        await killed(folder, 'pull', index)
        await folder.pull()
        return folder.files()
      })
      expect(files, `killed before: ${whole.steps[index]}`).toEqual(whole.files)
    }
  })

  test('a push has done nothing or all, and the next pull and push find nothing to settle', async () => {
    const edit = async (folder: TestFolder) => {
      await folder.write('pages/taken.liquid', 'changed\n')
      await folder.write('pages/added.liquid', 'added\n')
      await folder.delete('pages/deleted.liquid')
    }
    const steps = await withFolder(async (_space, folder) => {
      await edit(folder)
      return killed(folder, 'push', Number.POSITIVE_INFINITY)
    })
    for (const index of steps.keys())
      await withFolder(async (space, folder) => {
        const before = [...space.items.keys()].sort()
        await edit(folder)
        await killed(folder, 'push', index)
        const isApplied = space.text('pages/taken.liquid') === 'changed'
        const after = ['pages/added.liquid', ...before.filter(path => path !== 'pages/deleted.liquid')].sort()
        expect([...space.items.keys()].sort()).toEqual(isApplied ? after : before)
        expect((await folder.pull()).conflicts, `killed before: ${steps[index]}`).toEqual([])
        await folder.push()
        expect([...space.items.keys()].sort()).toEqual(after)
        expect(space.text('pages/taken.liquid')).toBe('changed')
      })
  })
})

test.each([
  ['an empty lock', ''],
  ['the lock of a process that is gone', '999999999'],
])('a command goes on although a killed one has left %s', async (_, lock) => {
  await withFolder(async (space, folder) => {
    space.set('pages/new.liquid', 'new')
    await folder.write('.space/lock', lock)
    await folder.pull()
    expect(await folder.read('pages/new.liquid')).toBe('new\n')
    expect(await folder.read('.space/lock')).toBe(null)
  })
})
