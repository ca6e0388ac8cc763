import { Group, Input, SegmentedControl, TextInput } from '@mantine/core'
import { useId } from 'react'
import { firstField } from '../shell/first-field.ts'
import { useSpace } from '../use-space.ts'
import { isHomePage } from './home-page.ts'

interface PageFieldsProps {
  slug: string
  kind: string
  errors: Record<string, string>
  /** Whether the page has not been saved yet. */
  isNew: boolean
  onSlug: (slug: string) => void
  onKind: (kind: string) => void
}

const KINDS: Record<string, string> = {
  scripted: 'Runs your HTML, CSS and JavaScript unchanged, on a separate origin.',
  static: 'Shown directly on the site, without scripts, forms or embeds.',
}

/** A page's slug and kind. */
export const PageFields = ({ slug, kind, errors, isNew, onSlug, onKind }: PageFieldsProps) => {
  const { url } = useSpace()
  const id = useId()
  return (
    <Group align="flex-start" gap="lg" mb="md">
      <TextInput
        style={{ flex: '1 1 16rem', maxWidth: '28rem' }}
        label="Slug"
        description={
          isHomePage(slug.trim())
            ? `The home page: ${url.replace(/^https?:\/\//, '')}/`
            : `The page’s address: ${url.replace(/^https?:\/\//, '')}/${slug.trim() || '…'}. Use the slug “index” for the home page.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={slug}
        onChange={event => onSlug(event.currentTarget.value)}
        error={errors.slug}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...(isNew && firstField)}
      />
      <Input.Wrapper
        label="Kind"
        labelElement="div"
        labelProps={{ id }}
        description={KINDS[kind]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={errors.kind}
        style={{ flex: '1 1 18rem', maxWidth: '32rem' }}
      >
        <div>
          <SegmentedControl
            aria-labelledby={id}
            value={kind}
            onChange={onKind}
            data={[
              { value: 'scripted', label: 'Scripted' },
              { value: 'static', label: 'Static' },
            ]}
          />
        </div>
      </Input.Wrapper>
    </Group>
  )
}
