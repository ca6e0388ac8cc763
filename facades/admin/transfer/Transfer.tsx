import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Section } from '../shell/Section.tsx'
import { ImportSpace } from './ImportSpace.tsx'
import { archiveAddress } from './send-archive.ts'

/** Downloads a space as an archive and imports one. */
export const Transfer = ({ subdomain }: { subdomain: string }) => (
  <Section
    title="Export and import"
    text="A zip archive with the name and icon of your space, and your pages, parts, data and files. You see what an import changes before it happens."
  >
    <Group>
      <Button
        component="a"
        href={archiveAddress(subdomain)}
        download
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        Export space
      </Button>
      <ImportSpace subdomain={subdomain} />
    </Group>
  </Section>
)
