import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from './api.ts'

/** Returns the space in the URL, with its limits. Use it only in views of a space: their route loads it first. */
export const useSpace = () => {
  const { subdomain } = useParams({ from: '/signed-in/spaces/$subdomain' })
  return useSuspenseQuery(api.space.get.queryOptions({ subdomain })).data
}
