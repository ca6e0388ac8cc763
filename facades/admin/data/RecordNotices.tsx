import { Alert, Button, Group, Stack } from '@mantine/core'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import type { RecordDraft } from './use-record-draft.ts'

/** The fields that show their own errors. */
export const FIELDS = ['key', 'value', 'description'] as const

/** Error codes that other components report. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['version_conflict', 'data_key_taken'])

/**
 * Shows save errors. Offers to create the record again after someone deleted it, and to restore your text after you
 * replaced it with someone else's version.
 */
export const RecordNotices = ({ draft, onRestore }: { draft: RecordDraft; onRestore: () => void }) => {
  const { save, restore } = draft
  const code = save.error && failureOf(save.error).code
  return (
    <>
      {code === 'data_not_found' ? (
        <Alert color="yellow" title="Someone deleted this record" role="alert">
          <Stack gap="sm" align="flex-start">
            Your text is still here.
            <FormFailure error={restore.error} />
            <Button size="compact-sm" onClick={onRestore} loading={restore.isPending}>
              Create it again with your text
            </Button>
          </Stack>
        </Alert>
      ) : SHOWN_ELSEWHERE.has(code ?? '') ? null : (
        <FormFailure error={save.error} names={FIELDS} />
      )}
      {draft.replacedText !== null && (
        <Alert color="gray" title="You are now editing their version" role="status">
          <Group gap="sm">
            <Button variant="default" size="compact-sm" onClick={draft.restoreText}>
              Restore my text
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={draft.discardText}>
              Discard my text
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}
