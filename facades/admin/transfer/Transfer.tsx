import { Group } from '@mantine/core'
import { Section } from '../shell/Section.tsx'
import { ExportSpace } from './ExportSpace.tsx'
import { ImportSpace } from './ImportSpace.tsx'

/** Exports the space as an archive, and imports an archive. */
export const Transfer = ({ subdomain }: { subdomain: string }) => (
  <Section
    title="Export and import"
    text="A zip archive with the name and icon of your space, and your pages, parts, data and files. You see what an import changes before it happens."
  >
    <Group align="flex-start">
      <ExportSpace subdomain={subdomain} />
      <ImportSpace subdomain={subdomain} />
    </Group>
  </Section>
)
