import type { TestAccount } from './account.ts'
import type { Send } from './edits.ts'
import type { ServiceProcess } from './service.ts'

/** The writes to posts that the service has acknowledged. */
export interface AcknowledgedPosts {
  /** The numbers that were written as the text of one post. Each replaced the number before it. */
  numbers: number[]
  /** Ids of other posts, which were deleted and restored repeatedly. */
  ids: string[]
  /** How many posts were restored. */
  restored: number
}

/** Creates the post that is edited. @returns its id */
export const preparePost = async (account: TestAccount): Promise<string> =>
  (await account.procedure<{ id: string }>('posts.create', { html: '<p>0</p>', tags: [] })).id

/**
 * Returns functions that edit posts. Run the functions concurrently. Call each function repeatedly, with a higher `n`
 * each time.
 *
 * @param round must increase with each call of `postEditsOf`, so that the written numbers increase too
 */
export const postEditsOf = (
  send: Send,
  { cookie }: TestAccount,
  post: string,
  acknowledged: AcknowledgedPosts,
  round: number,
): ((n: number) => Promise<unknown>)[] => {
  const procedure = async (name: string, input: object) => {
    const { status, text } = await send('POST', `/trpc/${name}`, { cookie }, input)
    return status === 200 ? (JSON.parse(text) as { result: { data?: { id: string } } }).result : undefined
  }
  return [
    async n => {
      const number = round * 1_000_000 + n
      if (await procedure('posts.update', { post_id: post, html: `<p>${number}</p>` }))
        acknowledged.numbers.push(number)
    },
    async () => {
      const created = await procedure('posts.create', { html: '<p>x</p>', tags: [] })
      if (!created) return
      const post_id = created.data!.id
      acknowledged.ids.push(post_id)
      if (!(await procedure('posts.delete', { post_id }))) return
      if (await procedure('postHistory.restoreDeleted', { post_id })) acknowledged.restored += 1
      await procedure('posts.delete', { post_id })
    },
  ]
}

/** The check looks up this many of the latest acknowledged texts. The history keeps more versions than this. */
const KEPT = 50

/**
 * Returns contradictions between posts and their history:
 *
 * - an acknowledged text that is neither in the post nor in its history
 * - a change that was recorded but not made: the post still has the text from before its latest recorded change
 * - a post that neither exists nor can be restored
 * - a post that both exists and can be restored
 */
export const postFaults = async (
  service: ServiceProcess,
  post: string,
  { numbers, ids }: AcknowledgedPosts,
): Promise<object[]> =>
  service.query(
    `with text as (
      select html from posts where id = $1 union all select html from post_changes where post_id = $1
    )
    select 'lost' as fault, number from unnest($2::text[]) as number
      where '<p>' || number || '</p>' not in (select html from text)
    union all
    select 'not made', html from (
      select html from post_changes where post_id = $1 order by position desc limit 1
    ) as latest where html = (select html from posts where id = $1)
    union all
    select 'not once', created.id from unnest($3::text[]) as created (id)
      where 1 <> (select count(*) from posts where posts.id = created.id)
        + (select count(*) from post_changes where post_id = created.id and action = 'delete')`,
    [post, numbers.slice(-KEPT).map(String), ids],
  )
