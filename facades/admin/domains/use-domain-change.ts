import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { api, type Outputs, queries } from '../api.ts'

/** A change of a space's domains. Its result replaces the list that is shown. */
export const useDomainChange = <TError, Input>(
  options: UseMutationOptions<Outputs['domains']['list'], TError, Input>,
  subdomain: string,
) =>
  useMutation({
    ...options,
    onSuccess: (domains, ...rest) => {
      queries.setQueryData(api.domains.list.queryKey({ subdomain }), domains)
      return options.onSuccess?.(domains, ...rest)
    },
  })
