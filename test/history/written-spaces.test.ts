import { describe, expect, it } from 'vitest'
import { DUE, WrittenSpaces } from '../../routers/content/history/written-spaces.ts'

const NOW = 1_000

const noted = (times: number) => {
  const written = new WrittenSpaces()
  for (let n = 0; n < times; n++) written.note('space', NOW + n)
  return written
}

const dueAt = (written: WrittenSpaces, now: number) => [...written.takeDue(now).due]

describe('the history of a space is trimmed', () => {
  it('after a number of writes', () => {
    expect(dueAt(noted(DUE.writes - 1), NOW)).toEqual([])
    expect(dueAt(noted(DUE.writes), NOW)).toEqual(['space'])
  })

  it('a fixed time after the first write, even if there are only a few writes', () => {
    expect(dueAt(noted(2), NOW + DUE.after - 1)).toEqual([])
    expect(dueAt(noted(2), NOW + DUE.after)).toEqual(['space'])
  })

  it('immediately after an erasure', () => {
    const written = noted(1)
    written.noteErasure('space')
    expect(written.takeDue(NOW)).toEqual({ due: new Set(['space']), erased: new Set(['space']) })
  })

  it('only once if no new writes follow', () => {
    const written = noted(DUE.writes)
    written.takeDue(NOW)
    expect(dueAt(written, NOW + DUE.after)).toEqual([])
  })
})
