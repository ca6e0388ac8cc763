import { Text } from '@mantine/core'

/** Length as the service counts it: in Unicode characters, without surrounding white space. */
export const lengthOf = (text: string): number => Array.from(text.replace(/\r\n?/g, '\n').trim()).length

/** Shows how many characters are left or over the limit. Used as a field's description. */
export const CharactersLeft = ({ text, max }: { text: string; max: number }) => {
  const left = max - lengthOf(text)
  return (
    <Text span inherit {...(left < 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}>
      {left < 0
        ? `${-left} ${left === -1 ? 'character' : 'characters'} too many`
        : `${left} of ${max} characters left`}
    </Text>
  )
}
