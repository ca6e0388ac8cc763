import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { failureOf } from '../ui/failure.ts'
import { bodyOf, type Saved, savedFrom, type Values } from './post-values.ts'

type Post = Outputs['writing']['createDraft']

const write = (values: Values, { id, publishedAt, updatedAt }: Saved): Promise<Post> => {
  const body = bodyOf(values)
  if (id === null) return rpc.writing.createDraft.mutate({ ...body, tags: values.tags })
  const change = { ...body, post_id: id, updated_at: updatedAt }
  return publishedAt === null
    ? rpc.writing.updateDraft.mutate({ ...change, tags: values.tags })
    : rpc.writing.revise.mutate(change)
}

interface SavingOptions {
  initial: Saved
  /** Called with the sent values and the saved post, whose tags the service has normalized. */
  onSaved: (sent: Values, saved: Saved) => void
  /** Called with the id after the first save of a new post. */
  onCreated: (id: string) => void
}

/**
 * Saves and publishes a post on top of the version that the editor opened or last saved.
 *
 * @returns the saved version, the mutations, and `theirs`: a version saved elsewhere in the meantime, or null
 */
export const usePostSaving = ({ initial, onSaved, onCreated }: SavingOptions) => {
  const [saved, setSaved] = useState(initial)
  const [theirs, setTheirs] = useState<Saved | null>(null)

  const onStored = (sent: Values, post: Post, document: string | null): Saved => {
    const next: Saved = {
      id: post.id,
      publishedAt: post.published_at,
      updatedAt: post.updated_at,
      values: { ...sent, tags: post.tags },
      document,
    }
    setSaved(next)
    onSaved(sent, next)
    void queryClient.invalidateQueries(api.writing.list.pathFilter())
    return next
  }

  /** If the post was saved or published elsewhere, reads that version. */
  const onError = async (failed: unknown) => {
    if (failureOf(failed).code !== 'post_changed' || saved.id === null) return
    const post = await rpc.writing.get.query({ post_id: saved.id }).catch(() => null)
    setTheirs(post && savedFrom(post))
  }

  const save = useMutation({
    mutationFn: async ({ values, onto = saved }: { values: Values; onto?: Saved }) =>
      onStored(values, await write(values, onto), null),
    onSuccess: (next, { onto = saved }) => {
      if (onto.id === null && next.id !== null) onCreated(next.id)
    },
    onError,
  })
  const publish = useMutation({
    mutationFn: async ({ values, from }: { values: Values; from: Saved }) =>
      onStored(
        values,
        await rpc.writing.publish.mutate({ post_id: from.id ?? '', updated_at: from.updatedAt }),
        from.document,
      ),
    onError,
  })

  return {
    saved,
    save,
    publish,
    theirs,
    /** Closes the conflict view; the next save opens it again. */
    postpone: () => {
      setTheirs(null)
      save.reset()
      publish.reset()
    },
    /** Continues from the version that was saved elsewhere. */
    continueFrom: (version: Saved) => {
      setSaved(version)
      setTheirs(null)
      save.reset()
      publish.reset()
    },
    /** The saved state without its id, for saving a deleted post as a new draft. */
    detach: (): Saved => ({ ...saved, id: null, publishedAt: null, updatedAt: '' }),
  }
}
