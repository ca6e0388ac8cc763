import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { Section } from '../shell/Section.tsx'
import { forgetSpace } from './space-cache.ts'

type Usage = Outputs['spaces']['overview']['usage']

const list = new Intl.ListFormat('en')
const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** What a space holds, as a list in words; null when there is nothing in it. */
const holdings = ({ pages, parts, records, files, keys }: Usage): string | null => {
  const things = [
    [pages, 'page'],
    [parts, 'part'],
    [records, 'data record'],
    [files, 'file'],
    [keys, 'key'],
  ] as const
  const some = things.filter(([count]) => count > 0).map(([count, word]) => counted(count, word))
  return some.length === 0 ? null : list.format(some)
}

/** Deletes a space for good, once its subdomain has been typed. */
export const DeleteSpace = ({ subdomain, name }: { subdomain: string; name: string }) => {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const overview = useQuery({ ...api.spaces.overview.queryOptions({ subdomain }), enabled: isAsking })
  const remove = useMutation(
    api.spaces.delete.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/', replace: true, ignoreBlocker: true })
        await forgetSpace(subdomain)
        notifySuccess(`${name} has been deleted.`)
      },
    }),
  )
  const held = overview.data ? holdings(overview.data.usage) : null
  const others = (overview.data?.usage.participants ?? 1) - 1
  return (
    <>
      <Section
        title="Delete the space"
        text="The site goes offline, and everything in the space is gone for good."
        action={
          <Button
            variant="outline"
            color="red"
            c="var(--mantine-color-error)"
            onClick={() => setAsking(true)}
          >
            Delete the space
          </Button>
        }
      />
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        action="Delete for good"
        typed={subdomain}
        onConfirm={() => remove.mutate({ subdomain, confirm: subdomain })}
        pending={remove.isPending}
        error={remove.error}
      >
        <Stack gap="xs">
          <Text>
            {held ? `${held} are deleted with it.` : 'Everything in it is deleted with it.'} Nobody can bring
            them back.
          </Text>
          {others > 0 && (
            <Text>
              {counted(others, 'other participant')} will lose it too. To let them keep it, leave the space
              instead.
            </Text>
          )}
          <Text>The address is free for anybody from then on.</Text>
        </Stack>
      </Confirm>
    </>
  )
}
