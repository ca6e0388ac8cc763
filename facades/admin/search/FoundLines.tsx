import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Excerpt } from './Excerpt.tsx'
import { ICONS } from './icons.tsx'
import { lineLink } from './line-link.ts'
import { type FoundLine, useFoundLines } from './use-found-texts.ts'

interface FoundLinesProps {
  subdomain: string
  kind: FoundLine['kind']
  /** The typed text, trimmed. */
  typed: string
  /** Shown if no line contains the text. */
  nothing: ReactNode
}

/** Below a list that is searched by name: the lines of its items that contain the text. */
export const FoundLines = ({ subdomain, kind, typed, nothing }: FoundLinesProps) => {
  const { data, error, isBusy } = useFoundLines(typed, subdomain, kind)
  if (error && !data) return <FormFailure error={error} />
  if (!data || data.lines.length === 0) return isBusy ? null : nothing
  return (
    <section>
      <Title order={2} size="h4" mt="lg" mb="sm">
        In the text
      </Title>
      <Rows label="In the text">
        {data.lines.map(line => (
          <Row
            key={`${line.id} ${line.in} ${line.line}`}
            icon={ICONS[kind]}
            title={
              <TextLink {...lineLink(subdomain, line)}>
                {shownText(line.name)}, {line.in === 'html' ? `line ${line.line}` : line.in}
              </TextLink>
            }
            text={<Excerpt text={shownText(line.excerpt)} match={typed} />}
          />
        ))}
      </Rows>
      {data.has_more && (
        <Text size="sm" c="dimmed" mt="xs">
          There is more. Type more of the text.
        </Text>
      )}
    </section>
  )
}
