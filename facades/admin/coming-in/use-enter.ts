import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { forgetEverything } from '../session.ts'

/**
 * Goes in after a sign-in: what was read as somebody else is forgotten.
 *
 * @returns goes to a view by its path below the screen, search and all; to one's spaces unless said
 */
export const useEnter = () => {
  const router = useRouter()
  return useCallback(
    async (next = '/') => {
      forgetEverything()
      const { pathname, search } = new URL(`.${next}`, document.baseURI)
      await router.navigate({ href: pathname + search, replace: true })
    },
    [router],
  )
}
