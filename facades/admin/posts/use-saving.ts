import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, type Outputs, queries } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import { bodyOf, type Saved, savedFrom, type Values } from './post-values.ts'

type Post = Outputs['drafts']['create']

const write = (values: Values, { id, publishedAt, updatedAt }: Saved): Promise<Post> => {
  const body = bodyOf(values)
  if (id === null) return client.drafts.create.mutate({ ...body, tags: values.tags })
  const change = { ...body, post_id: id, updated_at: updatedAt }
  return publishedAt === null
    ? client.drafts.update.mutate({ ...change, tags: values.tags })
    : client.writing.revise.mutate(change)
}

interface SavingOptions {
  initial: Saved
  /** Hears what has been saved, and as what: names of tags are tidied. */
  onSaved: (sent: Values, saved: Saved) => void
  onCreated: (id: string) => void
}

/**
 * Saves and publishes a post, on top of the version that one started from.
 *
 * @returns what is saved, the ways to save, and the other version where somebody else has saved one in between
 */
export const useSaving = ({ initial, onSaved, onCreated }: SavingOptions) => {
  const [saved, setSaved] = useState(initial)
  const [other, setOther] = useState<Saved | null>(null)

  const settle = (sent: Values, post: Post, document: string | null): Saved => {
    const next: Saved = {
      id: post.id,
      publishedAt: post.published_at,
      updatedAt: post.updated_at,
      values: { ...sent, tags: post.tags },
      document,
    }
    setSaved(next)
    onSaved(sent, next)
    void queries.invalidateQueries(api.writing.list.pathFilter())
    return next
  }

  /** Somebody else has saved or published it: both versions are shown, and nothing is written. */
  const onError = async (reason: unknown) => {
    if (failureOf(reason).code !== 'post_changed' || saved.id === null) return
    const post = await client.writing.get.query({ post_id: saved.id }).catch(() => null)
    setOther(post && savedFrom(post))
  }

  const save = useMutation({
    mutationFn: async ({ values, onto = saved }: { values: Values; onto?: Saved }) =>
      settle(values, await write(values, onto), null),
    onSuccess: (next, { onto = saved }) => {
      if (onto.id === null && next.id !== null) onCreated(next.id)
    },
    onError,
  })
  const publish = useMutation({
    mutationFn: async ({ values, from }: { values: Values; from: Saved }) =>
      settle(
        values,
        await client.drafts.publish.mutate({ post_id: from.id ?? '', updated_at: from.updatedAt }),
        from.document,
      ),
    onError,
  })

  return {
    saved,
    save,
    publish,
    other,
    /** Back to writing; the other version is asked about again with the next save. */
    putOff: () => {
      setOther(null)
      save.reset()
      publish.reset()
    },
    /** Goes on from the other version. */
    goOnFrom: (theirs: Saved) => {
      setSaved(theirs)
      setOther(null)
      save.reset()
      publish.reset()
    },
    /** Goes on as something new, where the post is gone. */
    forget: (): Saved => ({ ...saved, id: null, publishedAt: null, updatedAt: '' }),
  }
}
