import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import classes from './AddressPreview.module.css'
import type { SubdomainState } from './use-subdomain-state.ts'

const WORDS: Record<NonNullable<SubdomainState>, string> = {
  free: 'This address is free.',
  taken: 'Another space has this address already. Choose another one.',
  reserved: 'This address is kept for the service itself. Choose another one.',
  malformed: 'An address has 3 to 30 lower-case letters, digits and hyphens, with no hyphen at either end.',
}

/** The address that a space would have, as it is typed, and whether it can be had. */
export const AddressPreview = ({ subdomain, state }: { subdomain: string; state: SubdomainState }) => {
  const naming = useQuery({ ...api.spaces.naming.queryOptions(), staleTime: Number.POSITIVE_INFINITY })
  const isBad = state !== null && state !== 'free'
  return (
    <Box className={classes.box}>
      <Text size="sm" c="dimmed">
        People open your site at
      </Text>
      <Text ff="monospace" size="sm" className={classes.address}>
        {naming.data?.before}
        <b>{subdomain || '…'}</b>
        {naming.data?.behind}
      </Text>
      <Text size="sm" role="status" mih="1.55em" c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
        {state !== null && WORDS[state]}
      </Text>
    </Box>
  )
}
