import { Input, Radio, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { api, queryClient } from '../api.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { addFonts, FONT_PAIRS, type FontPair } from './fonts.ts'
import classes from './look.module.css'

interface FontFieldProps {
  subdomain: string
  headings: string
  text: string
  onChoose: (pair: FontPair) => void
}

/** Makes the fonts available under their file names. The browser loads each when it is first used. */
const showSamples = () => {
  for (const { headings, files } of FONT_PAIRS)
    if (files[0] && ![...document.fonts].some(({ family }) => family.includes(headings)))
      document.fonts.add(
        new FontFace(headings, `url("${files[0].url}")`, { weight: '100 900', display: 'swap' }),
      )
}

/** The font pairs as samples. Choosing one copies its files into the space. */
export const FontField = ({ subdomain, headings, text, onChoose }: FontFieldProps) => {
  const id = useId()
  useEffect(showSamples, [])
  const adding = useMutation({
    mutationFn: async (pair: FontPair) => {
      const files = await queryClient.query(api.files.list.queryOptions({ subdomain }))
      await addFonts(subdomain, pair, files.data)
    },
    onSuccess: (_, pair) => onChoose(pair),
  })
  const chosen = FONT_PAIRS.find(pair => pair.headings === headings && pair.text === text)
  return (
    <div>
      <Radio.Group
        label="Fonts"
        name={id}
        value={(adding.isPending ? adding.variables.label : chosen?.label) ?? ''}
        onChange={label => adding.mutate(FONT_PAIRS.find(pair => pair.label === label)!)}
        readOnly={adding.isPending}
      >
        <div className={classes.fonts}>
          {FONT_PAIRS.map(({ label, headings, text, weight }) => (
            <Radio.Card key={label} value={label} className={classes.font} radius="md" aria-label={label}>
              <Radio.Indicator />
              <span>
                <span
                  className={classes.heading}
                  style={{ fontFamily: `${headings && `"${headings}", `}${text}`, fontWeight: weight }}
                >
                  Salt and Cedar
                </span>
                <span className={classes.text} style={{ fontFamily: text }}>
                  {label}
                </span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {!chosen && (
        <Text size="sm" c="dimmed" mt="xs">
          Your own fonts: {headings || 'no font file'} for headings, {text || 'the browser’s own'} for text.
          Change them as JSON.
        </Text>
      )}
      {adding.error && (
        <Input.Wrapper mt="xs">
          <FormFailure error={adding.error} />
        </Input.Wrapper>
      )}
    </div>
  )
}
