import { Anchor, Button, List, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { toolServerUrl } from '../keys/snippets.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { Section } from '../shell/Section.tsx'

interface GetStartedProps {
  subdomain: string
  usage: Outputs['spaces']['overview']['usage']
}

interface Step {
  isDone: boolean
  what: ReactNode
  text: string
}

/** What one does first in a space, until all of it is done or somebody hides it. */
export const GetStarted = ({ subdomain, usage }: GetStartedProps) => {
  const [isHidden, setHidden] = useLocalStorage({
    key: `space-site-steps-hidden-${subdomain}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const steps: Step[] = [
    {
      isDone: usage.pages > 0,
      what: (
        <TextLink to="/spaces/$subdomain/new-page" params={{ subdomain }} fw={600} underline="hover">
          Make a page
        </TextLink>
      ),
      text: 'A page of HTML has an address of its own on your site.',
    },
    {
      isDone: usage.keys > 0,
      what: (
        <TextLink
          to="/spaces/$subdomain/keys"
          params={{ subdomain }}
          search={{ issue: true }}
          fw={600}
          underline="hover"
        >
          Get a key
        </TextLink>
      ),
      text: 'Programs and agents work on the space with it.',
    },
    {
      isDone: usage.is_used_by_agent,
      what: (
        <Anchor href={toolServerUrl('space')} fw={600} underline="hover">
          Connect an agent
        </Anchor>
      ),
      text: 'Claude Code, Cursor and others build the site with you.',
    },
  ]
  if (isHidden || steps.every(({ isDone }) => isDone)) return null
  return (
    <Section
      title="First steps"
      text="Three things to begin with."
      action={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setHidden(true)}>
          Hide
        </Button>
      }
    >
      <List spacing="sm" center type="ordered" listStyleType="none">
        {steps.map(({ isDone, what, text }, index) => (
          <List.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps are always the same
            key={index}
            icon={
              <ThemeIcon variant={isDone ? 'filled' : 'light'} size={28} radius="xl">
                {isDone ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{index + 1}</span>}
              </ThemeIcon>
            }
          >
            {what} {isDone && <VisuallyHidden>(done)</VisuallyHidden>}
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
