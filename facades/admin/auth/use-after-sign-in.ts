import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { forgetEverything } from '../session.ts'
import { type ReturnTo, returnUrl } from './return-to.ts'

/**
 * Goes in after a sign-in: what was read as somebody else is forgotten.
 *
 * @returns goes to where somebody wanted to go
 */
export const useAfterSignIn = () => {
  const router = useRouter()
  return useCallback(
    async (wanted: ReturnTo = {}) => {
      forgetEverything()
      const { href, pathname, search } = returnUrl(wanted)
      if (wanted.authorize === undefined) await router.navigate({ href: pathname + search, replace: true })
      // That page is none of the screen's.
      else globalThis.location.replace(href)
    },
    [router],
  )
}
