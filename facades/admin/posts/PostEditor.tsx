import { Alert, Button, List, Modal, Stack, TagsInput, Text } from '@mantine/core'
import { IconGhost, IconInfoCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { userRules } from '../../../routers/api/rules.ts'
import type { OpenEditor } from '../editor/EditorSession.tsx'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf, fieldErrors } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { DraftNotices } from '../unsaved/DraftNotices.tsx'
import { type Restored, useEditing } from '../unsaved/use-editing.ts'
import { DeletePost } from './DeletePost.tsx'
import { PostConflict } from './PostConflict.tsx'
import classes from './PostEditor.module.css'
import { PostHeader } from './PostHeader.tsx'
import { PostPanes } from './PostPanes.tsx'
import { FIELDS, FORMATS, isBlank, isUnsaved, type Saved, type Values, type Written } from './post-values.ts'
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

interface PublishDialogProps {
  opened: boolean
  onClose: () => void
  onPublish: () => void
  isPending: boolean
}

/** Asks before a draft is published, and says what cannot be changed afterwards. */
export const PublishDialog = ({ opened, onClose, onPublish, isPending }: PublishDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Publish this post?" centered>
    <Stack>
      <Text>It goes public immediately: on the timeline, on your profile and at its own address.</Text>
      <List size="sm" spacing={4}>
        <List.Item>You can edit it later; readers see changes as soon as you save them.</List.Item>
        <List.Item>You can’t change tags after publishing.</List.Item>
        <List.Item>You can’t turn it back into a draft, but you can delete it.</List.Item>
      </List>
      <DialogActions onCancel={onClose} isBusy={isPending}>
        <Button onClick={onPublish} loading={isPending} data-autofocus>
          Publish post
        </Button>
      </DialogActions>
    </Stack>
  </Modal>
)

interface PostNoticesProps {
  values: Values
  saved: Saved
  /** Whether the service has no Markdown source of the post. */
  isSourceLost: boolean
}

/** Warns about content that saving would replace permanently. */
export const PostNotices = ({ values, saved, isSourceLost }: PostNoticesProps) => {
  const { format } = values
  const changesFormat = saved.id !== null && saved.values.format !== format
  return (
    <div role="status">
      {isSourceLost && format === 'markdown' && (
        <Alert
          mb="md"
          color="gray"
          icon={<IconInfoCircle aria-hidden />}
          title="The Markdown source was not kept"
        >
          This post was saved through the API, which keeps only the rendered HTML. The preview shows this HTML
          until you start writing; saving replaces the whole post.
        </Alert>
      )}
      {changesFormat && !isBlank(values) && (
        <Alert mb="md" color="yellow" icon={<IconInfoCircle aria-hidden />}>
          The saved post is in another format ({FORMATS[saved.values.format].label}). Saving replaces it with
          what you write here.
        </Alert>
      )}
    </div>
  )
}

interface TagsFieldProps {
  tags: string[]
  error?: string | undefined
  onChange: (tags: string[]) => void
  /** Set for a published post, whose tags cannot change. */
  isFixed: boolean
}

const { max_count: max, max_length: longest } = userRules.post.tags

/** Splits at commas: a pasted or autofilled list arrives as one value. */
const toTags = (values: string[]) => [
  ...new Set(values.flatMap(value => value.split(',')).map(tag => tag.trim().replace(/^#/, ''))),
]

/** The tags of a post: editable in a draft, read-only once it is published. */
export const TagsField = ({ tags, error, onChange, isFixed }: TagsFieldProps) =>
  isFixed ? (
    <Text size="sm" c="dimmed">
      {tags.length > 0 ? (
        <>
          Tags: <bdi>{tags.map(tag => `#${tag}`).join(' ')}</bdi>. You can’t change tags after publishing.
        </>
      ) : (
        'Published without tags. You can’t add tags after publishing.'
      )}
    </Text>
  ) : (
    <TagsInput
      label="Tags"
      description={`Up to ${max} tags of up to ${longest} characters. Press Enter or type a comma after each.`}
      value={tags}
      onChange={chosen => onChange(toTags(chosen).filter(tag => tag !== ''))}
      maxTags={max}
      splitChars={[',']}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all tags' }}
      maw="44rem"
    />
  )
