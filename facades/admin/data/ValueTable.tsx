import { Alert, Button, Input, Stack } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { Loading } from '../feedback/Loading.tsx'
import { readTable } from '../table/json-table.ts'
import { pointerOf } from './json-pointer.ts'

const RecordTable = lazy(() => import('../table/RecordTable.tsx'))

interface ValueTableProps {
  text: string
  onChange: (text: string) => void
  onUndo: (isRedo: boolean) => void
  /** Shows the value at a JSON Pointer in the JSON view. */
  onGoTo: (pointer: string) => void
  error?: string | undefined
}

/** A record's value as a table, or the reason why it can't be shown as one. */
export const ValueTable = ({ text, onChange, onUndo, onGoTo, error }: ValueTableProps) => {
  const table = useMemo(() => readTable(text), [text])
  if (typeof table === 'string')
    return (
      <Alert color="gray" icon={<IconTableOff aria-hidden />} title={table} role="status">
        <Stack gap="xs" align="start">
          {/^\s*\{\s*\}\s*$/.test(text) ? (
            <Button size="compact-sm" onClick={() => onChange('[]')}>
              Start an empty table
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => onGoTo('')}>
              Edit as JSON
            </Button>
          )}
        </Stack>
      </Alert>
    )
  return (
    <>
      <Suspense fallback={<Loading rows={1} height={320} />}>
        <RecordTable
          table={table}
          onChange={onChange}
          onUndo={onUndo}
          onOpenJson={(row, column) => onGoTo(pointerOf([row, column]))}
        />
      </Suspense>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </>
  )
}
