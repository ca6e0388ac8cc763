import { Text } from '@mantine/core'

/** Length as the service counts it: in characters of Unicode, without white space around them. */
export const lengthOf = (text: string): number => Array.from(text.replace(/\r\n?/g, '\n').trim()).length

/** How many characters a field still takes, or how many it has too many. For a field's description. */
export const CharactersLeft = ({ text, max }: { text: string; max: number }) => {
  const left = max - lengthOf(text)
  return (
    <Text span inherit {...(left < 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}>
      {left < 0 ? `${-left} too many` : `${left} of ${max} characters left`}
    </Text>
  )
}
