import { Radio, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './StarterField.module.css'
import { EMPTY, STARTERS } from './starters.ts'

interface StarterFieldProps {
  value: string
  onChange: (value: string) => void
  /** Called after Enter on a choice. */
  onEnter: () => void
}

/** Chooses what a new space begins with, from pictures. */
export const StarterField = ({ value, onChange, onEnter }: StarterFieldProps) => {
  const id = useId()
  const shared = {
    chosen: value,
    onEnter: (choice: string) => {
      onChange(choice)
      onEnter()
    },
  }
  return (
    <Radio.Group
      label="Start with"
      description="A complete site that you can change in every detail, or an empty space."
      value={value}
      onChange={onChange}
      name={id}
    >
      <div className={classes.grid}>
        {Object.entries(STARTERS).map(([starter, { label, text, pictures }]) => (
          <Choice key={starter} value={starter} {...shared} label={label} text={text}>
            <img className={classes.light} src={pictures.light} alt="" width={480} height={360} />
            <img className={classes.dark} src={pictures.dark} alt="" width={480} height={360} />
          </Choice>
        ))}
        <Choice value={EMPTY} {...shared} label="Empty" text="No pages yet, for a design of your own.">
          <span className={classes.empty} />
        </Choice>
      </div>
    </Radio.Group>
  )
}

interface ChoiceProps {
  value: string
  /** The value of the group. */
  chosen: string
  onEnter: (value: string) => void
  label: string
  text: string
  children: ReactNode
}

const Choice = ({ value, chosen, onEnter, label, text, children }: ChoiceProps) => (
  // As in every group of radio buttons, Tab stops at the chosen one and arrow keys choose.
  <Radio.Card
    value={value}
    tabIndex={value === chosen ? 0 : -1}
    className={classes.card}
    radius="md"
    aria-label={label}
    onKeyDown={event => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      onEnter(value)
    }}
  >
    <span className={classes.picture}>{children}</span>
    <span className={classes.caption}>
      <Radio.Indicator />
      <span>
        <Text span fw={600} size="sm" display="block">
          {label}
        </Text>
        <Text span size="sm" c="dimmed" display="block">
          {text}
        </Text>
      </span>
    </span>
  </Radio.Card>
)
