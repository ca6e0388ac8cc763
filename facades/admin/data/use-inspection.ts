import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { rules } from '../../../routers/core/rules.ts'
import { client, type Outputs } from '../api.ts'
import { useSpace } from '../use-space.ts'
import type { JsonText } from './use-json-text.ts'

export type Inspection = Outputs['records']['inspect']

/** Milliseconds of not typing before what was typed is looked at. */
const PAUSE = 400

/** Schema and shape warnings of what is typed, as the service derives them; the last ones while it is no JSON. */
export const useInspection = ({ compact, size, fault }: JsonText): Inspection | undefined => {
  const { subdomain } = useSpace()
  const [value] = useDebouncedValue(compact, PAUSE)
  const canBe = value !== null && fault === null && (size ?? 0) <= rules.data.value_max_bytes
  const { data } = useQuery({
    queryKey: ['inspection', subdomain, value],
    queryFn: () => client.records.inspect.mutate({ subdomain, value: JSON.parse(value!) as unknown }),
    enabled: canBe,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
  return data
}
