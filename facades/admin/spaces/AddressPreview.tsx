import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import classes from './AddressPreview.module.css'
import type { SubdomainState } from './use-subdomain-state.ts'

const MESSAGES: Record<NonNullable<SubdomainState>, string> = {
  free: 'This address is available.',
  taken: 'This address is taken. Choose another one.',
  reserved: 'This address is reserved. Choose another one.',
  malformed: 'Use 3 to 30 lowercase letters, digits and hyphens, without a hyphen at the start or end.',
}

/** Shows the address of the new space while it is typed, and whether it is available. */
export const AddressPreview = ({ subdomain, state }: { subdomain: string; state: SubdomainState }) => {
  const naming = useQuery({ ...api.spaces.naming.queryOptions(), staleTime: Number.POSITIVE_INFINITY })
  const isBad = state !== null && state !== 'free'
  return (
    <Box className={classes.box}>
      <Text size="sm" c="dimmed">
        Your site’s address
      </Text>
      <Text ff="monospace" size="sm" className={classes.address}>
        {naming.data?.before}
        <b>{subdomain || '…'}</b>
        {naming.data?.behind}
      </Text>
      <Text size="sm" role="status" mih="1.55em" c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
        {state !== null && MESSAGES[state]}
      </Text>
    </Box>
  )
}
