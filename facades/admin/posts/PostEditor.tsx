import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useReturn } from '../editor/use-return.ts'
import { useSaveKey } from '../editor/use-save-key.ts'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { DeletePost } from './DeletePost.tsx'
import { PostConflict } from './PostConflict.tsx'
import classes from './PostEditor.module.css'
import { PostFailure } from './PostFailure.tsx'
import { PostHeader } from './PostHeader.tsx'
import { PostNotes } from './PostNotes.tsx'
import { PostPanes } from './PostPanes.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { FIELDS, isBlank, isUnsaved, type Saved, type Values, type Written } from './post-values.ts'
import { TagsField } from './TagsField.tsx'
import { useSaving } from './use-saving.ts'

interface PostEditorProps {
  initial: Saved
  /** The post as it was read; none for a new one. */
  post?: Written
  /** Called when a new post has got its id. */
  onCreated: (id: string) => void
}

/** A post being written: its fields beside what readers will see. */
export const PostEditor = ({ initial, post, onCreated }: PostEditorProps) => {
  const navigate = useNavigate()
  const [values, setValues] = useState(initial.values)
  const [isPublishing, setPublishing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const saving = useSaving({
    initial,
    onCreated,
    // Tags come back tidied; what was typed in the meantime stays as it is.
    onSaved: (sent, { values: { tags } }) =>
      setValues(now => (now.tags === sent.tags ? { ...now, tags } : now)),
  })
  const { saved, save, publish, other } = saving
  const unsaved = isUnsaved(values, saved)
  const guard = useLeaveGuard(unsaved)
  const isBusy = save.isPending || publish.isPending
  const error = save.error ?? publish.error
  const errors = save.error ? fieldErrors(failureOf(save.error), FIELDS) : {}

  const change = (changed: Partial<Values>) => {
    if (save.isError) save.reset()
    if (publish.isError) publish.reset()
    setValues(now => ({ ...now, ...changed }))
  }
  const store = (what = values, onto?: Saved) => {
    if (isBusy) return
    publish.reset()
    save.mutate(
      { values: what, ...(onto ? { onto } : {}) },
      {
        onSuccess: ({ publishedAt }) => {
          if (publishedAt !== null) notifySuccess('Saved. Readers see it now.')
        },
      },
    )
  }
  const goPublic = async () => {
    try {
      const from = unsaved || saved.id === null ? await save.mutateAsync({ values }) : saved
      await publish.mutateAsync({ values: from.values, from })
      notifySuccess('Published. Everybody can read it now.')
    } catch {
      // What went wrong stands at the fields and above them.
    }
    setPublishing(false)
  }
  const storeChanges = () => {
    // While two texts lie side by side, it is decided there what is saved.
    if (unsaved && !other) store()
  }
  useSaveKey(storeChanges)
  const fields = useRef<HTMLDivElement>(null)
  useReturn(other !== null, () => fields.current?.focus())

  return (
    <Stack gap="md">
      {guard}
      <PostHeader
        saved={saved}
        isUnsaved={unsaved}
        isBusy={isBusy}
        isDeciding={other !== null}
        onSave={() => store()}
        onPublish={() => setPublishing(true)}
        onDelete={() => setDeleting(true)}
        canPublish={!isBlank(values)}
        counts={post && { likes: post.like_count, comments: post.comment_count }}
      />
      {other ? (
        <PostConflict
          base={saved.values}
          theirs={other}
          mine={values}
          isSaving={isBusy}
          onPutOff={saving.putOff}
          onTakeTheirs={() => {
            setValues(other.values)
            saving.goOnFrom(other)
          }}
          onSave={decided => {
            setValues(decided)
            saving.goOnFrom(other)
            store(decided, other)
          }}
        />
      ) : (
        <PostFailure error={error} onSaveAsNew={() => store(values, saving.forget())} />
      )}
      <Stack ref={fields} tabIndex={-1} gap="md" className={classes.fields} hidden={other !== null}>
        <div>
          <PostNotes values={values} saved={saved} isLost={saved.document !== null} />
          <PostPanes
            values={values}
            errors={errors}
            onChange={change}
            onSave={storeChanges}
            document={saved.document}
            postId={saved.id}
            isPublished={saved.publishedAt !== null}
          />
        </div>
        <TagsField
          tags={values.tags}
          error={errors.tags}
          onChange={tags => change({ tags })}
          isFixed={saved.publishedAt !== null}
        />
      </Stack>
      <PublishDialog
        opened={isPublishing}
        onClose={() => setPublishing(false)}
        onPublish={() => void goPublic()}
        isPending={isBusy}
      />
      {saved.id !== null && (
        <DeletePost
          post={{ id: saved.id, published: saved.publishedAt !== null }}
          opened={isDeleting}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/posts', ignoreBlocker: true })}
        />
      )}
    </Stack>
  )
}
