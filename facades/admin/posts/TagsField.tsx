import { TagsInput, Text } from '@mantine/core'
import { userRules } from '../../../routers/api/rules.ts'

interface TagsFieldProps {
  tags: string[]
  error?: string | undefined
  onChange: (tags: string[]) => void
  /** Set for a published post, whose tags cannot change. */
  isFixed: boolean
}

const { max_count: max, max_length: longest } = userRules.post.tags

/** Splits at commas: a pasted or autofilled list arrives as one value. */
const toTags = (values: string[]) => [
  ...new Set(values.flatMap(value => value.split(',')).map(tag => tag.trim().replace(/^#/, ''))),
]

/** The tags of a post: editable in a draft, read-only once it is published. */
export const TagsField = ({ tags, error, onChange, isFixed }: TagsFieldProps) =>
  isFixed ? (
    <Text size="sm" c="dimmed">
      {tags.length > 0 ? (
        <>
          Tags: <bdi>{tags.map(tag => `#${tag}`).join(' ')}</bdi>. You can’t change tags after publishing.
        </>
      ) : (
        'Published without tags. You can’t add tags after publishing.'
      )}
    </Text>
  ) : (
    <TagsInput
      label="Tags"
      description={`Up to ${max} tags of up to ${longest} characters. Press Enter or type a comma after each.`}
      value={tags}
      onChange={chosen => onChange(toTags(chosen).filter(tag => tag !== ''))}
      maxTags={max}
      splitChars={[',']}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all tags' }}
      maw="44rem"
    />
  )
