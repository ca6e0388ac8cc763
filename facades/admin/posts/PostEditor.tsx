import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { DraftNotices } from '../drafts/DraftNotices.tsx'
import { useEditing } from '../drafts/use-editing.ts'
import type { Restored } from '../drafts/use-kept-draft.ts'
import type { OpenEditor } from '../editor/EditorSession.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { DeletePost } from './DeletePost.tsx'
import { PostConflict } from './PostConflict.tsx'
import classes from './PostEditor.module.css'
import { PostFailure } from './PostFailure.tsx'
import { PostHeader } from './PostHeader.tsx'
import { PostNotices } from './PostNotices.tsx'
import { PostPanes } from './PostPanes.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { FIELDS, isBlank, isUnsaved, type Saved, type Values, type Written } from './post-values.ts'
import { TagsField } from './TagsField.tsx'
import { usePostSaving } from './use-post-saving.ts'

interface PostEditorProps extends OpenEditor<Values> {
  initial: Saved
  /** The post as read when the editor opened; undefined for a new one. */
  post: Written | undefined
}

/**
 * Returns the version on which the restored changes are based. If the post has a newer version, the service
 * refuses the save.
 */
const beginningOf = (initial: Saved, restored: Restored<Values> | null): Saved => {
  const base = restored?.content.base
  return base && base.version !== initial.updatedAt
    ? { ...initial, updatedAt: base.version, values: base.fields }
    : initial
}

/** Edits a new or existing post beside a live preview. */
export const PostEditor = ({ initial, restored, newId, post, onCreated }: PostEditorProps) => {
  const navigate = useNavigate()
  // The changes may already be saved: the window may have been closed before the response to the save arrived.
  const [changes] = useState(() =>
    restored && isUnsaved(restored.content.fields, initial) ? restored : null,
  )
  const [values, setValues] = useState(changes?.content.fields ?? initial.values)
  const latest = useRef(values)
  latest.current = values
  const [isPublishing, setPublishing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const saving = usePostSaving({
    initial: beginningOf(initial, changes),
    onCreated,
    onSaved: (sent, { values: { tags } }) => {
      // Drop the kept draft here too, because the effect below does not run if the person has left this view.
      if (latest.current === sent) kept.note(null)
      // The service normalizes tags. Keep tags that changed while the save was in progress.
      setValues(now => (now.tags === sent.tags ? { ...now, tags } : now))
    },
  })
  const { saved, save, publish, theirs } = saving
  const unsaved = isUnsaved(values, saved)
  const place = { subdomain: null, kind: 'post', thing: saved.id ?? newId, isNew: saved.id === null } as const
  const fields = useRef<HTMLDivElement>(null)
  const { kept, restoredAt, guard } = useEditing<Values>({
    place,
    restored,
    restoredAt: changes?.at ?? null,
    isUnsaved: unsaved,
    content: () => ({
      fields: values,
      base: saved.id === null ? null : { fields: saved.values, version: saved.updatedAt },
    }),
    changes: [values, saved],
    save: () => storeChanges(),
    hasConflict: theirs !== null,
    focus: () => fields.current?.focus(),
  })
  const isBusy = save.isPending || publish.isPending
  const error = save.error ?? publish.error
  const errors = save.error ? fieldErrors(failureOf(save.error), FIELDS) : {}

  const change = (changed: Partial<Values>) => {
    if (save.isError) save.reset()
    if (publish.isError) publish.reset()
    setValues(now => ({ ...now, ...changed }))
  }
  const store = (changed = values, onto?: Saved) => {
    if (isBusy) return
    publish.reset()
    save.mutate(
      { values: changed, ...(onto ? { onto } : {}) },
      {
        onSuccess: ({ publishedAt }) => {
          if (publishedAt !== null) notifySuccess('Post updated. Readers see it now.')
        },
      },
    )
  }
  const publishNow = async () => {
    try {
      const from = unsaved || saved.id === null ? await save.mutateAsync({ values }) : saved
      await publish.mutateAsync({ values: from.values, from })
      notifySuccess('Post published. Everyone can read it now.')
    } catch {
      // The form shows the error.
    }
    setPublishing(false)
  }
  const storeChanges = () => {
    // While a conflict is open, only the conflict view saves.
    if (unsaved && !theirs) store()
  }

  return (
    <Stack gap="md">
      {guard}
      <PostHeader
        saved={saved}
        isUnsaved={unsaved}
        isBusy={isBusy}
        hasConflict={theirs !== null}
        onSave={() => store()}
        onPublish={() => setPublishing(true)}
        onDelete={() => setDeleting(true)}
        canPublish={!isBlank(values)}
        counts={post && { likes: post.like_count, comments: post.comment_count }}
      />
      <DraftNotices
        place={place}
        restoredAt={restoredAt}
        kept={kept}
        onDiscard={() => {
          // `saved` can be an old version of the post: the version on which the restored changes are based. So continue
          // from `initial`, which is the version that the service had when the editor opened.
          const stored = saved.id === initial.id && changes?.content.base ? initial : saved
          setValues(stored.values)
          saving.continueFrom(stored)
        }}
      />
      {theirs ? (
        <PostConflict
          base={saved.values}
          theirs={theirs}
          mine={values}
          isSaving={isBusy}
          onPostpone={saving.postpone}
          onAcceptTheirs={() => {
            setValues(theirs.values)
            saving.continueFrom(theirs)
          }}
          onSave={merged => {
            setValues(merged)
            saving.continueFrom(theirs)
            store(merged, theirs)
          }}
        />
      ) : (
        <PostFailure error={error} onSaveAsNew={() => store(values, saving.detach())} />
      )}
      <Stack ref={fields} tabIndex={-1} gap="md" className={classes.fields} hidden={theirs !== null}>
        <div>
          <PostNotices values={values} saved={saved} isSourceLost={saved.document !== null} />
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
        onPublish={() => void publishNow()}
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
