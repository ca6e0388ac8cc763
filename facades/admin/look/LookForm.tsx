import { Alert, Button, ColorInput, Group, Input, Slider, Stack, Text, Title } from '@mantine/core'
import { IconContrast, IconPhoto } from '@tabler/icons-react'
import type { JSONPath } from 'jsonc-parser'
import { useEffectEvent, useRef, useState } from 'react'
import { setValue } from '../form/json-form.ts'
import { type PictureUploader, PictureUploads } from '../pictures/PictureUploads.tsx'
import { PicturePicker } from '../preview/PicturePicker.tsx'
import { FontField } from './FontField.tsx'
import classes from './look.module.css'
import {
  faintColors,
  isColor,
  type Look,
  type LookColor,
  MEASURES,
  type Measure,
  MIN_CONTRAST,
} from './read-look.ts'

interface LookFormProps {
  subdomain: string
  look: Look
  /** The value as JSON. */
  text: string
  onChange: (text: string) => void
  onSave: () => void
}

/** Makes the name of a color a label: `on_block` becomes "On block". */
const labelOf = (name: string) => {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Edits the look of a site: its colors, fonts, logo, corners, width and spacing. Enter in a color saves. */
export const LookForm = ({ subdomain, look, text, onChange, onSave }: LookFormProps) => {
  const edit = (path: JSONPath, value: string | number) =>
    onChange(setValue(text, path, JSON.stringify(value)))
  const hasDark = look.colors.some(({ dark }) => dark !== undefined)
  return (
    <Stack gap="xl">
      <section aria-label="Colors">
        <Group justify="space-between" mb="xs" className={hasDark ? classes.row : undefined}>
          <Title order={2} size="h5">
            Colors
          </Title>
          {hasDark && (
            <>
              <Text size="sm" c="dimmed" aria-hidden>
                Light
              </Text>
              <Text size="sm" c="dimmed" aria-hidden>
                Dark
              </Text>
            </>
          )}
        </Group>
        <Stack gap="xs">
          {look.colors.map(color => (
            <ColorRow
              key={color.name}
              color={color}
              hasDark={hasDark}
              onEnter={onSave}
              onLight={value => edit(['colors', color.name], value)}
              onDark={value => edit(['dark_colors', color.name], value)}
            />
          ))}
        </Stack>
        <Contrast look={look} />
      </section>
      {look.headings !== undefined && look.text !== undefined && (
        <FontField
          subdomain={subdomain}
          headings={look.headings}
          text={look.text}
          onChoose={pair =>
            onChange(
              setValue(
                setValue(text, ['fonts', 'headings'], JSON.stringify(pair.headings)),
                ['fonts', 'text'],
                JSON.stringify(pair.text),
              ),
            )
          }
        />
      )}
      {look.logo !== undefined && (
        <LogoField subdomain={subdomain} logo={look.logo} onChange={name => edit(['logo'], name)} />
      )}
      {look.measures.map(measure => (
        <MeasureField key={measure.name} {...measure} onChange={value => edit([measure.name], value)} />
      ))}
    </Stack>
  )
}

interface ColorRowProps {
  color: LookColor
  hasDark: boolean
  onEnter: () => void
  onLight: (value: string) => void
  onDark: (value: string) => void
}

const ColorRow = ({ color: { name, light, dark }, hasDark, onEnter, onLight, onDark }: ColorRowProps) => {
  const label = labelOf(name)
  return (
    <div className={classes.row}>
      <Text size="sm" aria-hidden>
        {label}
      </Text>
      <ColorField
        label={hasDark ? `${label}, light` : label}
        value={light}
        onChange={onLight}
        onEnter={onEnter}
      />
      {dark !== undefined && (
        <ColorField label={`${label}, dark`} value={dark} onChange={onDark} onEnter={onEnter} />
      )}
    </div>
  )
}

const ColorField = ({
  label,
  value,
  onChange,
  onEnter,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  onEnter: () => void
}) => {
  /** What is typed while it is no color yet. */
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <ColorInput
      aria-label={label}
      size="sm"
      format="hex"
      withEyeDropper={false}
      value={typed ?? value}
      onChange={next => {
        setTyped(isColor(next) ? null : next)
        if (isColor(next)) onChange(next)
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter()
      }}
    />
  )
}

/** Says which texts are hard to read. */
const Contrast = ({ look }: { look: Look }) => {
  const faint = faintColors(look)
  return (
    <div role="status">
      {faint.length > 0 && (
        <Alert color="yellow" mt="sm" icon={<IconContrast aria-hidden />} title="Some text is hard to read">
          <ul className={classes.faint}>
            {faint.map(({ name, on, appearance, contrast }) => (
              <li key={`${name} ${appearance}`}>
                {labelOf(name)} on {labelOf(on).toLowerCase()}, {appearance}: a contrast of{' '}
                {contrast.toFixed(1)}.
              </li>
            ))}
          </ul>
          From {MIN_CONTRAST} on, most people can read it.
        </Alert>
      )}
    </div>
  )
}

const MeasureField = ({ name, value, onChange }: Measure & { onChange: (value: number) => void }) => {
  const { label, unit, min, max, step } = MEASURES[name]
  return (
    <div>
      <Group justify="space-between">
        <Input.Label component="div" aria-hidden>
          {label}
        </Input.Label>
        <Text size="sm" c="dimmed" aria-hidden>
          {value} {unit}
        </Text>
      </Group>
      <Slider
        thumbLabel={label}
        label={null}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={next => onChange(Number(next.toFixed(2)))}
      />
    </div>
  )
}

interface LogoFieldProps {
  subdomain: string
  logo: string
  onChange: (name: string) => void
}

const LogoField = ({ subdomain, logo, onChange }: LogoFieldProps) => {
  const [isChoosing, setIsChoosing] = useState(false)
  const uploader = useRef<PictureUploader>(null)
  // The look can be changed during the upload.
  const onStored = useEffectEvent(({ name }: { name: string }) => onChange(name))
  const choose = (name: string) => {
    setIsChoosing(false)
    onChange(name)
  }
  return (
    <div>
      <Input.Label component="div">Logo</Input.Label>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconPhoto size={18} aria-hidden />}
          onClick={() => setIsChoosing(true)}
        >
          {logo === '' ? 'Choose a picture' : 'Change'}
        </Button>
        {logo !== '' && (
          <Button variant="default" onClick={() => onChange('')}>
            Remove
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {logo === '' ? 'The site shows its name.' : logo}
        </Text>
      </Group>
      <PictureUploads subdomain={subdomain} ref={uploader} />
      {isChoosing && (
        <PicturePicker
          subdomain={subdomain}
          isByName
          onChoose={({ name }) => choose(name)}
          onUpload={picture => {
            setIsChoosing(false)
            uploader.current?.add({ pictures: [picture], onStored })
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  )
}
