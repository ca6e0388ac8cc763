import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { minute } from '../shell/search-params.ts'
import type { HistorySearch } from './history-search.ts'

/** How long to wait after the last keystroke before the list is filtered, in ms. */
const TYPING_DELAY = 400

interface TimeFieldsProps {
  from: string | undefined
  to: string | undefined
  onChange: (range: Pick<HistorySearch, 'from' | 'to'>) => void
}

/**
 * The start and the end of a period. The fields keep their own state, because the URL has only complete times, and a
 * time is incomplete while it is typed.
 */
export const TimeFields = ({ from, to, onChange }: TimeFieldsProps) => {
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' })
  const commit = useDebouncedCallback(
    (range: typeof typed) => onChange({ from: minute(range.from), to: minute(range.to) }),
    TYPING_DELAY,
  )
  const [start, end] = [minute(typed.from), minute(typed.to)]
  const isReversed = start !== undefined && end !== undefined && end < start
  return (['from', 'to'] as const).map(end => (
    <TextInput
      key={end}
      type="datetime-local"
      label={end === 'from' ? 'From' : 'To'}
      value={typed[end]}
      error={end === 'to' && isReversed ? 'Choose a time after the start' : undefined}
      onChange={event => {
        const range = { ...typed, [end]: event.currentTarget.value }
        setTyped(range)
        commit(range)
      }}
    />
  ))
}
