import { Alert, Button } from '@mantine/core'
import { IconGhost } from '@tabler/icons-react'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { FIELDS } from './post-values.ts'

/** Why a post could not be saved or published. One that somebody deleted meanwhile can be saved anew. */
export const PostFailure = ({ error, onSaveAsNew }: { error: unknown; onSaveAsNew: () => void }) => {
  if (error && failureOf(error).code === 'post_not_found')
    return (
      <Alert color="red" icon={<IconGhost aria-hidden />} title="The post is gone" role="alert">
        It was deleted after you had opened it. What you wrote is still here.
        <div>
          <Button mt="sm" size="sm" variant="default" onClick={onSaveAsNew}>
            Save it as a new draft
          </Button>
        </div>
      </Alert>
    )
  return <FormFailure error={error} names={FIELDS} />
}
