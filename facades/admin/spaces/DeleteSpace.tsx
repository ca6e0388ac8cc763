import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs, rpc } from '../api.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { DangerButton, Section } from '../ui/Section.tsx'
import { forgetSpace } from './space-cache.ts'

type Usage = Outputs['spaces']['overview']['usage']

const list = new Intl.ListFormat('en')

/** Lists the contents of a space ("2 pages and 1 key"), or returns null if it is empty. */
const describeContents = ({ pages, parts, records, files, keys }: Usage): string | null => {
  const counts = [
    [pages, 'page'],
    [parts, 'part'],
    [records, 'data record'],
    [files, 'file'],
    [keys, 'key'],
  ] as const
  const items = counts.filter(([count]) => count > 0).map(([count, word]) => counted(count, word))
  return items.length === 0 ? null : list.format(items)
}

interface DeleteSpaceProps {
  subdomain: string
  name: string
}

/** Deletes a space permanently, after its subdomain has been typed. */
export const DeleteSpace = (props: DeleteSpaceProps) => (
  <ConfirmationProvider>
    <DeleteSpaceSection {...props} />
  </ConfirmationProvider>
)

const DeleteSpaceSection = ({ subdomain, name }: DeleteSpaceProps) => {
  const [isConfirming, setConfirming] = useState(false)
  const navigate = useNavigate()
  const overview = useQuery({ ...api.spaces.overview.queryOptions({ subdomain }), enabled: isConfirming })
  const remove = useConfirmedMutation({
    // Has no key, so that the views of the space are left before anything is refetched.
    mutationFn: () => rpc.spaces.delete.mutate({ subdomain, confirm: subdomain }),
    onSuccess: async () => {
      await navigate({ to: '/', replace: true, ignoreBlocker: true })
      await forgetSpace(subdomain)
      notifySuccess(`${name} deleted.`)
    },
  })
  const contents = overview.data ? describeContents(overview.data.usage) : null
  const others = (overview.data?.usage.participants ?? 1) - 1
  return (
    <>
      <Section
        title="Delete space"
        text="Takes the site offline and permanently deletes everything in the space."
        action={<DangerButton label="Delete space" onClick={() => setConfirming(true)} />}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Delete ${name}?`}
        action="Delete space"
        typed={subdomain}
        onConfirm={() => remove.mutate()}
        mutation={remove}
      >
        <Stack gap="xs">
          <Text>This permanently deletes {contents ?? 'everything in the space'}. It can’t be undone.</Text>
          {others > 0 && (
            <Text>
              {counted(others, 'other participant')} will lose access too. To let them keep the space, leave
              it instead.
            </Text>
          )}
          <Text>Anyone can then take the address.</Text>
        </Stack>
      </Confirm>
    </>
  )
}
