import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { rules } from '../../../routers/api/rules.ts'
import { client, type Outputs } from '../api.ts'
import { useSpace } from '../use-space.ts'
import type { JsonText } from './use-json-text.ts'

export type Inspection = Outputs['records']['inspect']

/** Milliseconds after the last change before the value is inspected. */
const DEBOUNCE = 400

/**
 * Returns the schema and shape warnings that the service derives from the text. While the text is invalid, returns the
 * previous ones.
 */
export const useInspection = ({ compact, size, error }: JsonText): Inspection | undefined => {
  const { subdomain } = useSpace()
  const [value] = useDebouncedValue(compact, DEBOUNCE)
  const isValid = value !== null && error === null && (size ?? 0) <= rules.data.value_max_bytes
  const { data } = useQuery({
    queryKey: ['inspection', subdomain, value],
    queryFn: () => client.records.inspect.mutate({ subdomain, value: JSON.parse(value!) as unknown }),
    enabled: isValid,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
  return data
}
