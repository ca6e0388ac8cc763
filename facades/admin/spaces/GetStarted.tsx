import { Button, List, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Section } from '../ui/Section.tsx'

interface GetStartedProps {
  subdomain: string
  usage: Outputs['spaces']['overview']['usage']
}

interface Step {
  isDone: boolean
  link: ReactNode
  text: string
}

/** The first steps in a new space, shown until all are done or the person hides them. */
export const GetStarted = ({ subdomain, usage }: GetStartedProps) => {
  const [isHidden, setHidden] = useLocalStorage({
    key: `space-site-steps-hidden-${subdomain}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const steps: Step[] = [
    {
      isDone: usage.is_edited,
      link: <FirstStep subdomain={subdomain} usage={usage} />,
      text:
        usage.pages > 0
          ? 'Change the text of a page. It is public as soon as you save.'
          : 'Start from an example or a blank page. It is public as soon as you save it.',
    },
    {
      isDone: usage.keys > 0,
      link: (
        <TextLink
          to="/spaces/$subdomain/keys"
          params={{ subdomain }}
          search={{ issue: true }}
          fw={600}
          underline="hover"
        >
          Create a key
        </TextLink>
      ),
      text: 'Lets scripts and agents edit this space.',
    },
    {
      isDone: usage.is_used_by_agent,
      link: (
        <TextLink
          to="/spaces/$subdomain/keys"
          params={{ subdomain }}
          search={{ connect: true }}
          fw={600}
          underline="hover"
        >
          Connect an agent
        </TextLink>
      ),
      text: 'Claude Code, Cursor and other agents can build the site with you.',
    },
  ]
  if (isHidden || steps.every(({ isDone }) => isDone)) return null
  return (
    <Section
      title="Get started"
      text="Three steps for a new space."
      action={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setHidden(true)}>
          Hide
        </Button>
      }
    >
      <List spacing="sm" center type="ordered" listStyleType="none">
        {steps.map(({ isDone, link, text }, index) => (
          <List.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change their order
            key={index}
            icon={
              <ThemeIcon variant={isDone ? 'filled' : 'light'} size={28} radius="xl">
                {isDone ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{index + 1}</span>}
              </ThemeIcon>
            }
          >
            {link} {isDone && <VisuallyHidden>(done)</VisuallyHidden>}
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

const FirstStep = ({ subdomain, usage }: GetStartedProps) => {
  const style = { fw: 600, underline: 'hover' } as const
  if (usage.pages === 0)
    return (
      <TextLink
        to="/spaces/$subdomain/new-page"
        params={{ subdomain }}
        search={{ example: 'welcome' }}
        {...style}
      >
        Create a page
      </TextLink>
    )
  return usage.home_page_id === null ? (
    <TextLink to="/spaces/$subdomain/pages" params={{ subdomain }} {...style}>
      Make it yours
    </TextLink>
  ) : (
    <TextLink
      to="/spaces/$subdomain/pages/$pageId"
      params={{ subdomain, pageId: usage.home_page_id }}
      {...style}
    >
      Make it yours
    </TextLink>
  )
}
