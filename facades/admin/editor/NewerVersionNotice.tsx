import { Alert, Button, Group, Text } from '@mantine/core'
import { IconUserEdit } from '@tabler/icons-react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import type { Fields, Stored, TemplateDraft } from './use-template-draft.ts'

interface NewerVersionNoticeProps<F extends Fields> {
  draft: TemplateDraft<F>
  /** The stored version, as last read. */
  newest: Stored<F>
  /** What is being edited: "page" or "part". */
  what: string
}

/** Says that someone else has saved a newer version since you opened the editor. */
export const NewerVersionNotice = <F extends Fields>({ draft, newest, what }: NewerVersionNoticeProps<F>) => {
  const { base, isUnsaved, saving } = draft
  const isNewer =
    newest.updated_at !== null && base.updated_at !== null && newest.updated_at > base.updated_at
  if (!isNewer || saving.isPending) return null
  return (
    <Alert color="yellow" icon={<IconUserEdit aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Someone else saved this {what} <RelativeTime at={newest.updated_at ?? ''} />.
        </Text>
        {isUnsaved ? (
          <Button size="compact-sm" variant="default" onClick={() => draft.compare(newest)}>
            Compare with yours
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => draft.acceptTheirs(newest)}>
            Show the latest version
          </Button>
        )}
      </Group>
    </Alert>
  )
}
