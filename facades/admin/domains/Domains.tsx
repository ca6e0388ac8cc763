import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { DomainRow, RemoveDomain } from './DomainRow.tsx'
import type { OwnDomain } from './describe-domain.ts'

/** How often the list is read again while a domain waits for something, in ms. */
const POLL = 3_000

/** The domains of a space's own: adds them, says what is missing, and chooses the main address. */
export const Domains = ({ subdomain }: { subdomain: string }) => {
  const list = useRef<HTMLDivElement>(null)
  const [removing, setRemoving] = useState<OwnDomain | null>(null)
  const domains = useQuery({
    ...api.domains.list.queryOptions({ subdomain }),
    refetchInterval: ({ state: { data } }) =>
      data?.domains.some(({ state }) => state === 'pending' || state === 'verified') ? POLL : false,
  })
  const choose = useMutation(api.domains.choose.mutationOptions({ onError: notifyFailure }))
  const { data } = domains
  const hasMain = data?.domains.some(({ is_chosen: isChosen }) => isChosen)
  return (
    <Section
      title="Domains"
      text={
        <>
          Your site can have up to {limits.domains} domains of its own.
          {data && (
            <>
              {' '}
              Its main address is{' '}
              <Anchor href={data.main_url} underline="always">
                {data.main_url}
              </Anchor>
              ; the others redirect to it.
            </>
          )}
        </>
      }
      action={
        hasMain && (
          <Button
            variant="default"
            loading={choose.isPending}
            onClick={() => choose.mutate({ subdomain, domain: null })}
          >
            Use the subdomain
          </Button>
        )
      }
    >
      <Loaded query={domains} placeholder={<Loading rows={1} height={72} />}>
        {shown => (
          <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
            {shown.domains.length > 0 && (
              <Rows label="Domains">
                {shown.domains.map(domain => (
                  <DomainRow
                    key={domain.name}
                    subdomain={subdomain}
                    domain={domain}
                    onRemove={() => setRemoving(domain)}
                  />
                ))}
              </Rows>
            )}
            <AddDomain subdomain={subdomain} />
          </div>
        )}
      </Loaded>
      {removing && (
        <RemoveDomain
          subdomain={subdomain}
          domain={removing}
          onClose={() => setRemoving(null)}
          onRemoved={() => focusAfterDialog(list)}
        />
      )}
    </Section>
  )
}

/** Adds a domain to a space. */
export const AddDomain = ({ subdomain }: { subdomain: string }) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { domain: '' } },
    api.domains.add.mutationOptions({
      onSuccess: () => {
        form.reset()
        notifySuccess('Domain added. Now set its DNS records.')
      },
    }),
  )
  return (
    <form {...props(values => ({ subdomain, ...values }))}>
      <Stack mt="md" align="flex-start">
        <TextInput
          label="Domain"
          description="A domain that you own, such as bakery.example. With it comes www.bakery.example."
          placeholder="bakery.example"
          maxLength={limits.domainName}
          w="100%"
          maw="28rem"
          required
          withAsterisk={false}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...form.getInputProps('domain')}
        />
        {failure}
        <Button type="submit" loading={mutation.isPending} disabled={form.values.domain.trim() === ''}>
          Add a domain
        </Button>
      </Stack>
    </form>
  )
}
