import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { clearCache } from '../session.ts'
import { type ReturnTo, returnUrl } from './return-to.ts'

/**
 * Returns a function that opens a view after signing in. The function clears the cache, which may hold data of
 * another account.
 */
export const useAfterSignIn = () => {
  const router = useRouter()
  return useCallback(
    async (target: ReturnTo = {}) => {
      clearCache()
      const { href, pathname, search } = returnUrl(target)
      if (target.authorize === undefined) await router.navigate({ href: pathname + search, replace: true })
      // Load the document, because the consent page is not part of the dashboard.
      else globalThis.location.replace(href)
    },
    [router],
  )
}
