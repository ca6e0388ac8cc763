import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconLink, IconWorldShare } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'
import { useSession } from '../session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { failureOf } from '../ui/failure.ts'
import { focusAfterDialog, useFocusReturn } from '../ui/focus-after-dialog.ts'
import { ListAbove } from '../ui/ListAbove.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'

type Link = Outputs['previewLinks']['list'][number]

interface DraftLinksProps {
  subdomain: string
  /** What the draft edits. */
  thing: string
}

/** Creates links with which anyone can see the draft of a page, and lists those that work. */
export const DraftLinks = ({ subdomain, thing }: DraftLinksProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const links = useQuery(api.previewLinks.list.queryOptions({ subdomain }))
  const create = useMutation(api.previewLinks.create.mutationOptions({ onError: notifyFailure }))
  return (
    <Stack align="stretch" gap="sm">
      <Group justify="space-between" align="flex-start">
        <Text size="sm" style={{ flex: '1 1 16rem' }}>
          Anyone who has such a link sees your draft as it is at that time, for {limits.previewLinkDays} days
          or until you revoke it. After you save or discard the draft, the link shows the saved page.
        </Text>
        <Button
          ref={button}
          leftSection={<IconWorldShare size={18} aria-hidden />}
          onClick={() => create.mutate({ subdomain, thing })}
          loading={create.isPending}
        >
          Create a link
        </Button>
      </Group>
      <Loaded query={links} placeholder={<LoadingRows count={1} />}>
        {all => (
          <LinkRows subdomain={subdomain} links={all.filter(link => link.thing === thing)} focus={button} />
        )}
      </Loaded>
    </Stack>
  )
}

/** The preview links of a space. Renders nothing visible if there are none. */
export const SpaceLinks = ({ subdomain }: { subdomain: string }) => {
  const { data = [] } = useQuery(api.previewLinks.list.queryOptions({ subdomain }))
  return (
    <ListAbove
      title="Preview links"
      items={data}
      noun="preview links"
      rows={(links, focus) => <LinkRows subdomain={subdomain} links={links} focus={focus} />}
    />
  )
}

interface LinkRowsProps {
  subdomain: string
  links: readonly Link[]
  /** Gets the focus after a link was revoked. */
  focus: RefObject<HTMLElement | null>
}

const LinkRows = ({ subdomain, links, focus }: LinkRowsProps) => {
  const { handle } = useSession()
  const [revoking, setRevoking] = useState<Link | null>(null)
  return (
    <>
      {links.length > 0 && (
        <Rows label="Preview links">
          {links.map(link => (
            <Row
              key={link.id}
              icon={<IconLink size={20} />}
              title={
                <Anchor href={link.url} target="_blank" rel="noreferrer">
                  {nameOf(link)}
                </Anchor>
              }
              text={
                <>
                  {SHOWS[link.shows]} Created by {link.handle === handle ? 'you' : <bdi>{link.handle}</bdi>}{' '}
                  <RelativeTime at={link.created_at} />, expires <RelativeTime at={link.expires_at} />.
                </>
              }
            >
              <CopyButton value={link.url} what={`preview link to ${nameOf(link)}`} {...rowButton} />
              <Button
                {...rowDanger}
                aria-label={`Revoke the preview link to ${nameOf(link)}`}
                onClick={() => setRevoking(link)}
              >
                Revoke
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      {revoking && (
        <RevokeLink
          subdomain={subdomain}
          link={revoking}
          onClose={() => setRevoking(null)}
          onDone={() => focusAfterDialog(focus)}
        />
      )}
    </>
  )
}

const nameOf = ({ slug }: Link) => slug?.trim() || 'Untitled page'

const SHOWS: Record<Link['shows'], string> = {
  draft: 'Shows the draft.',
  saved: 'Shows the saved page, because the draft was saved or discarded.',
  nothing: 'Shows nothing any more, because the page or the draft was deleted.',
}

interface RevokeLinkProps {
  subdomain: string
  link: Link
  onClose: () => void
  onDone: () => void
}

/** Asks for confirmation before a preview link is revoked. */
const RevokeLink = ({ subdomain, link, onClose, onDone }: RevokeLinkProps) => {
  useFocusReturn()
  const finish = () => {
    onClose()
    onDone()
    notifySuccess('The preview link no longer works.')
  }
  const revoke = useMutation(
    api.previewLinks.revoke.mutationOptions({
      onSuccess: finish,
      onError: error => failureOf(error).code === 'preview_link_not_found' && finish(),
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Revoke preview link?"
      action="Revoke preview link"
      onConfirm={() => revoke.mutate({ subdomain, link_id: link.id })}
      mutation={revoke}
    >
      <Text>People who have the link can no longer open it. You can create another one.</Text>
    </Confirm>
  )
}
