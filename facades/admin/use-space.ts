import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from './api.ts'

/** The space of the address, with the rules that hold in it. Only in views of a space, which read it before they show. */
export const useSpace = () => {
  const { subdomain } = useParams({ from: '/signed-in/spaces/$subdomain' })
  return useSuspenseQuery(api.space.get.queryOptions({ subdomain })).data
}
