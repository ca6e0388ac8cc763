import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { PERIOD_LABELS, rangeOf } from './filters.ts'
import { type HistorySearch, historySearch } from './history-search.ts'
import { TimeFields } from './TimeFields.tsx'
import { UndoDialog } from './UndoDialog.tsx'

interface UndoSinceProps {
  /** The filters of the history. `actor` is the one whose changes are undone. */
  search: HistorySearch & { actor: string }
  /** The actor's name. */
  by: string
  onClose: () => void
}

const EVER = new Date(0).toISOString()

/**
 * Dialog that undoes everything that one person or key changed in a period. The period of the filter is preselected.
 */
export const UndoSince = ({ search, by, onClose }: UndoSinceProps) => {
  const [period, setPeriod] = useState<HistorySearch>(
    historySearch({ when: search.when ?? 'hour', from: search.from, to: search.to }),
  )
  // The period must not move while the preview is open.
  const [now] = useState(() => new Date())
  const { since = EVER, until } = rangeOf(period, now)
  return (
    <UndoDialog
      title={`Undo changes by ${by}`}
      selection={{ actor: search.actor, since, until }}
      onClose={onClose}
      fields={
        <Group gap="sm" align="flex-start">
          <Select
            label="Changes of"
            value={period.when ?? 'any'}
            allowDeselect={false}
            onChange={when => setPeriod(historySearch({ when }))}
            data={[
              ...Object.entries(PERIOD_LABELS).map(([value, label]) => ({ value, label })),
              { value: 'any', label: 'Any time' },
            ]}
            w="11rem"
          />
          {period.when === 'between' && (
            <TimeFields
              from={period.from}
              to={period.to}
              onChange={range => setPeriod(historySearch({ when: 'between', ...range }))}
            />
          )}
        </Group>
      }
    />
  )
}
