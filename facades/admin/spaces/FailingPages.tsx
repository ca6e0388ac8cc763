import { Alert, Code, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { positionText } from '../../shared/review-sentences.ts'
import { api } from '../api.ts'
import { untilComplete } from '../pages/until-complete.ts'
import { templateErrorTitles } from '../preview/TemplateErrorPanel.tsx'
import { TextLink } from '../ui/ButtonLink.tsx'

/** Lists the pages that show visitors an error. Renders nothing if there are none. */
export const FailingPages = ({ subdomain }: { subdomain: string }) => {
  const { data } = useQuery(
    api.delivery.failingPages.queryOptions({ subdomain }, { staleTime: 0, ...untilComplete }),
  )
  if (!data || data.pages.length === 0) return null
  const count = data.pages.length
  return (
    <Alert
      component="section"
      role="region"
      color="red"
      radius="lg"
      icon={<IconAlertTriangle aria-hidden />}
      title={count === 1 ? 'One page shows an error' : `${count} pages show an error`}
    >
      <List listStyleType="none" spacing="sm">
        {data.pages.map(({ id, slug, error }) => (
          <List.Item key={id}>
            <b>{slug}</b>: {templateErrorTitles[error.kind]}.{' '}
            <TextLink
              to="/spaces/$subdomain/pages/$pageId"
              params={{ subdomain, pageId: id }}
              aria-label={`Open in the editor: ${slug}`}
              c="inherit"
            >
              Open in the editor
            </TextLink>
            <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
              {positionText(error)}: {error.message}
            </Text>
            {error.excerpt && <Code style={{ overflowWrap: 'anywhere' }}>{error.excerpt}</Code>}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
