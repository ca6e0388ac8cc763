import { Stack } from '@mantine/core'
import { rpc } from '../api.ts'
import { Domains } from '../domains/Domains.tsx'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { IconField } from '../icon/IconField.tsx'
import { Transfer } from '../transfer/Transfer.tsx'
import { Section } from '../ui/Section.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useRole } from '../use-role.ts'
import { useSpace } from '../use-space.ts'
import { VisitSetting } from '../visits/VisitSetting.tsx'
import { Webhooks } from '../webhooks/Webhooks.tsx'
import { DeleteSpace } from './DeleteSpace.tsx'
import { WhomToAsk } from './OwnersOnly.tsx'
import { SpaceName } from './SpaceName.tsx'
import { refreshSpace } from './space-cache.ts'

/** Changes the name and icon of a space and whether its visits are counted, and deletes the space. */
export const Settings = () => {
  const { subdomain, name, icon_url } = useSpace()
  if (useRole(subdomain) === 'editor') return <EditorsSettings subdomain={subdomain} name={name} />
  return (
    <>
      <ViewTitle title="Settings" of={name} />
      <Stack gap="lg" maw="48rem">
        <SpaceName key={subdomain} subdomain={subdomain} name={name} />
        <Section title="Icon" text="Shown with your site and in lists of spaces.">
          <IconField
            name={name}
            url={icon_url}
            shape="square"
            description="Choose any picture. You can crop it to a square."
            onSave={async png => {
              await rpc.spaces.setIcon.mutate({ subdomain, png })
              await refreshSpace()
            }}
            onRemove={async () => {
              await rpc.spaces.removeIcon.mutate({ subdomain })
              await refreshSpace()
              notifyDeleted({ subdomain, kind: 'space', thing: 'icon', title: 'Icon', verb: 'removed' })
            }}
          />
        </Section>
        <Domains subdomain={subdomain} />
        <Webhooks subdomain={subdomain} />
        <VisitSetting key={`visits of ${subdomain}`} subdomain={subdomain} />
        <Transfer subdomain={subdomain} />
        <DeleteSpace subdomain={subdomain} name={name} />
      </Stack>
    </>
  )
}

/** What editors can do in the settings: export and import the content. */
const EditorsSettings = ({ subdomain, name }: { subdomain: string; name: string }) => (
  <>
    <ViewTitle
      title="Settings"
      of={name}
      text={
        <>
          You are an editor. Only owners change the name, the icon, domains, webhooks and the counting of
          visits, or delete the space. <WhomToAsk subdomain={subdomain} />
        </>
      }
    />
    <Stack gap="lg" maw="48rem">
      <Transfer subdomain={subdomain} />
    </Stack>
  </>
)
