import { useRouter } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { clearCache } from '../session.ts'
import { flag, id, matching, searchParams } from '../ui/search-params.ts'

/** Reads the target after sign-in from search parameters. Targets outside this service are dropped. */
export const parseReturnTo = searchParams({
  /** Path of a dashboard view. */
  next: matching(/^\/(?![/\\])/),
  /** Query string of a client's request to `/oauth/authorize`. */
  authorize: text => text,
  /** Id of a post. The target is the post's public page. */
  post: id,
  /** Another public page of the main site: the posts of followed people, or a profile. */
  page: matching(/^(?:following|@[A-Za-z0-9._]{3,15})$/),
  /** Whether a signed-in person must sign in again, to confirm the session. */
  again: flag,
})

export type ReturnTo = ReturnType<typeof parseReturnTo>

/** Where to go after signing in. */
interface Target {
  url: URL
  /** Whether the target is a view of the dashboard. Other targets need to load a document. */
  isView: boolean
}

/** Returns the target; by default, the list of spaces. */
export const returnTarget = ({ next = '/', authorize, post, page }: ReturnTo): Target => {
  const to = (path: string, isView: boolean) => ({ url: new URL(path, document.baseURI), isView })
  if (authorize !== undefined) return to(`../oauth/authorize?${authorize}`, false)
  if (page !== undefined) return to(`../${page}`, false)
  return post === undefined ? to(`.${next}`, true) : to(`../posts/${post}`, false)
}

/**
 * Returns a function that opens a view after signing in. The function clears the cache, which may hold data of another
 * account. Later calls do nothing: the button and autofill may both sign in, and clearing the cache again would leave
 * the opened view without its data.
 */
export const useAfterSignIn = () => {
  const router = useRouter()
  const isOpening = useRef(false)
  return useCallback(
    async (target: ReturnTo = {}) => {
      if (isOpening.current) return
      isOpening.current = true
      clearCache()
      const { url, isView } = returnTarget(target)
      if (isView) await router.navigate({ href: url.pathname + url.search, replace: true })
      else globalThis.location.replace(url.href)
    },
    [router],
  )
}
