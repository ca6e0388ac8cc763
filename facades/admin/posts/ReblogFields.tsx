import { Stack, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { userRules } from '../../../routers/api/rules.ts'
import { CharactersLeft } from '../feedback/CharactersLeft.tsx'
import { focusFirstField } from '../shell/first-field.ts'
import type { Values } from './post-values.ts'

interface ReblogFieldsProps {
  values: Values
  errors: Record<string, string>
  onChange: (changed: Partial<Values>) => void
  /** Whether the post is new. In the form of a new post, the first field gets the focus. */
  isNew: boolean
}

/** The link to share and a comment on it. */
export const ReblogFields = ({ values, errors, onChange, isNew }: ReblogFieldsProps) => {
  const link = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) focusFirstField(link.current)
  }, [isNew])
  return (
    <Stack h="100%" p={4} style={{ overflow: 'auto' }}>
      <TextInput
        ref={link}
        label="Link"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        value={values.url}
        onChange={event => onChange({ url: event.currentTarget.value })}
        error={errors.url}
      />
      <Textarea
        label="Your comment"
        description={<CharactersLeft text={values.text} max={userRules.post.text.max_length} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={4}
        maxRows={10}
        value={values.text}
        onChange={event => onChange({ text: event.currentTarget.value })}
        error={errors.text}
      />
    </Stack>
  )
}
