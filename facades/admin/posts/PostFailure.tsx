import { Alert, Button } from '@mantine/core'
import { IconGhost } from '@tabler/icons-react'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { FIELDS } from './post-values.ts'

/** Why a post could not be saved or published. If it was deleted, offers to save the text as a new draft. */
export const PostFailure = ({ error, onSaveAsNew }: { error: unknown; onSaveAsNew: () => void }) => {
  if (error && failureOf(error).code === 'post_not_found')
    return (
      <Alert color="red" icon={<IconGhost aria-hidden />} title="This post was deleted" role="alert">
        It was deleted after you opened it. Your text is still here.
        <div>
          <Button mt="sm" size="sm" variant="default" onClick={onSaveAsNew}>
            Save as a new draft
          </Button>
        </div>
      </Alert>
    )
  return <FormFailure error={error} names={FIELDS} />
}
