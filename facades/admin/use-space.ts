import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from './api.ts'

/**
 * Returns the space in the URL, with its limits. Use this hook only in views of a space: the router loads the space
 * before it renders these views.
 */
export const useSpace = () => {
  const { subdomain } = useParams({ from: '/signed-in/spaces/$subdomain' })
  return useSuspenseQuery(api.space.get.queryOptions({ subdomain })).data
}
