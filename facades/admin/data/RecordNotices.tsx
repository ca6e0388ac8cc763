import { Alert, Button, Group, Stack } from '@mantine/core'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import type { RecordDraft } from './use-record-draft.ts'

/** The fields that show their own errors. */
export const FIELDS = ['key', 'value', 'description'] as const

/** Failures that are told elsewhere, with what to do about them. */
const TOLD: ReadonlySet<string> = new Set(['version_conflict', 'data_key_taken'])

/** What became of a record while it was being written, with what to do about it. */
export const RecordNotices = ({ draft, onRestore }: { draft: RecordDraft; onRestore: () => void }) => {
  const { save, restore } = draft
  const code = save.error && failureOf(save.error).code
  return (
    <>
      {code === 'data_not_found' ? (
        <Alert color="yellow" title="Somebody deleted this record" role="alert">
          <Stack gap="sm" align="flex-start">
            Your text is still here.
            <FormFailure error={restore.error} />
            <Button size="compact-sm" onClick={onRestore} loading={restore.isPending}>
              Make it again with your text
            </Button>
          </Stack>
        </Alert>
      ) : TOLD.has(code ?? '') ? null : (
        <FormFailure error={save.error} names={FIELDS} />
      )}
      {draft.aside !== null && (
        <Alert color="gray" title="You took their version" role="status">
          <Group gap="sm">
            <Button variant="default" size="compact-sm" onClick={draft.bringBack}>
              Bring my text back
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={draft.forgetAside}>
              Let it go
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}
