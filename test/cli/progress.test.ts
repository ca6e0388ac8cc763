import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Progress } from '../../facades/cli/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const show = (isTerminal: boolean) => {
  let line = ''
  const progress = new Progress(text => {
    line += text
  }, isTerminal)
  return { progress, line: () => line.split('\r\u001B[K').at(-1) }
}

test('progress is shown after a second, with the latest step, until there is other output', () => {
  const { progress, line } = show(true)
  progress.step('Reading 1 of 3')
  vi.advanceTimersByTime(900)
  expect(line()).toBe('')
  progress.step('Reading 2 of 3')
  vi.advanceTimersByTime(200)
  expect(line()).toBe('Reading 2 of 3 …')
  progress.clear()
  expect(line()).toBe('')
  vi.advanceTimersByTime(1000)
  expect(line()).toBe('Reading 2 of 3 …')
  progress.end()
  vi.advanceTimersByTime(5000)
  expect(line()).toBe('')
})

test('progress is not shown where no person looks', () => {
  const { progress, line } = show(false)
  progress.step('Reading')
  vi.advanceTimersByTime(5000)
  expect(line()).toBe('')
})
