import { Button, Code, Group, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { When } from '../feedback/When.tsx'
import classes from './ConflictDialog.module.css'
import { FORMATS } from './formats.ts'
import { savedFrom, type Values, type Written } from './post-values.ts'

interface ConflictDialogProps {
  /** The post as somebody else has saved it. */
  other: Written
  /** What is in the fields. */
  values: Values
  isPending: boolean
  onClose: () => void
  onTakeOther: (other: Written) => void
  onReplace: (other: Written) => void
}

const textOf = ({ format, markdown, html, url, text }: Values) =>
  format === 'reblog' ? [url, text].filter(Boolean).join('\n\n') : format === 'html' ? html : markdown

const Version = ({ title, values, missing }: { title: string; values: Values; missing?: boolean }) => (
  <section aria-label={title}>
    <Title order={3} size="h6">
      {title}
    </Title>
    <Text size="sm" c="dimmed" mb={4}>
      {FORMATS[values.format].label}
      {values.tags.length > 0 && ` · ${values.tags.map(tag => `#${tag}`).join(' ')}`}
    </Text>
    <Code block className={classes.text} tabIndex={0} role="region" aria-label={`${title}, text`} dir="auto">
      {missing ? 'Its Markdown was not kept, because it came through the API.' : textOf(values)}
    </Code>
  </section>
)

/** Shows both versions of a post that was changed in two places, and lets the person decide; until then nothing is written. */
export const ConflictDialog = (props: ConflictDialogProps) => {
  const { other, values, isPending, onClose, onTakeOther, onReplace } = props
  return (
    <Modal opened onClose={onClose} title="The post was changed elsewhere" size="xl" centered>
      <Stack>
        <Text>
          It was saved <When at={other.updated_at} /> in another window or with a token, after you had opened
          it here.
          {other.published && ' It is published: readers see at once what you decide.'} Which one is to stay?
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Version
            title="Saved elsewhere"
            values={savedFrom(other).values}
            missing={other.document !== null}
          />
          <Version title="Yours" values={values} />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="subtle" color="gray" onClick={onClose} disabled={isPending}>
            Decide later
          </Button>
          <Button variant="default" onClick={() => onTakeOther(other)} disabled={isPending}>
            Take the saved one
          </Button>
          <Button onClick={() => onReplace(other)} loading={isPending}>
            Replace it with yours
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
