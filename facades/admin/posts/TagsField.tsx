import { TagsInput, Text } from '@mantine/core'
import { userRules } from '../../../routers/core/rules.ts'

interface TagsFieldProps {
  tags: string[]
  error?: string | undefined
  onChange: (tags: string[]) => void
  /** A published post keeps its tags. */
  isFixed: boolean
}

const { max_count: max, max_length: longest } = userRules.post.tags

/** What a post is found by. */
export const TagsField = ({ tags, error, onChange, isFixed }: TagsFieldProps) =>
  isFixed ? (
    <Text size="sm" c="dimmed">
      {tags.length > 0 ? (
        <>
          Tags: <bdi>{tags.map(tag => `#${tag}`).join(' ')}</bdi>. They stay as they were published.
        </>
      ) : (
        'It was published without tags, and none can be added.'
      )}
    </Text>
  ) : (
    <TagsInput
      label="Tags"
      description={`At most ${max}, of up to ${longest} characters. Press Enter or type a comma after each.`}
      value={tags}
      onChange={chosen => onChange(chosen.map(tag => tag.trim().replace(/^#/, '')))}
      maxTags={max}
      splitChars={[',']}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all tags' }}
      maw="44rem"
    />
  )
