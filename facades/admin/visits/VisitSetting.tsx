import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../api.ts'
import { FailureView } from '../ui/FailureView.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { Section } from '../ui/Section.tsx'

/** Switches the counting of a space's visits on or off. */
export const VisitSetting = ({ subdomain }: { subdomain: string }) => {
  const counting = useQuery(api.visits.counting.queryOptions({ subdomain }))
  const change = useMutation(
    api.visits.setCounting.mutationOptions({
      onSuccess: async (_, { is_on }) => {
        await queryClient.invalidateQueries(api.visits.pathFilter())
        notifySuccess(is_on ? 'Visits are counted again.' : 'Visits are no longer counted.')
      },
      onError: notifyFailure,
    }),
  )
  const isAvailable = counting.data?.is_available !== false
  return (
    <Section
      title="Visits"
      text={
        isAvailable
          ? 'How often your site is read, without cookies and without storing anything about readers. If you switch it off, the figures so far are kept.'
          : 'The operator of this service has switched off the counting of visits.'
      }
    >
      {counting.isError && !counting.data ? (
        <FailureView error={counting.error} retry={() => void counting.refetch()} />
      ) : (
        isAvailable && (
          <Switch
            label="Count visits"
            checked={change.isPending ? change.variables.is_on : counting.data?.is_on === true}
            disabled={counting.isPending}
            onChange={event => change.mutate({ subdomain, is_on: event.currentTarget.checked })}
          />
        )
      )}
    </Section>
  )
}
