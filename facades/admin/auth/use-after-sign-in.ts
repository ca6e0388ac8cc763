import { useRouter } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { clearCache } from '../session.ts'
import { type ReturnTo, returnTarget } from './return-to.ts'

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
