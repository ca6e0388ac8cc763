import { Button, Radio, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useId } from 'react'
import { type Starter, starters } from '../../../routers/api/rules.ts'
import classes from './StarterField.module.css'
import { EMPTY, STARTERS } from './starters.ts'

const StarterLook = lazy(() => import('./StarterLook.tsx'))

const isStarter = (value: string): value is Starter => starters.some(starter => starter === value)

interface StarterFieldProps {
  value: string
  onChange: (value: string) => void
  /** Called when Enter is pressed on a choice. */
  onEnter: () => void
}

/** Shows the starters as pictures, from which the person chooses what a new space begins with. */
export const StarterField = ({ value, onChange, onEnter }: StarterFieldProps) => {
  const id = useId()
  const [isLooking, { open, close }] = useDisclosure()
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
      {isStarter(value) && (
        <>
          <Button variant="subtle" size="compact-sm" mt="xs" onClick={open}>
            See the whole home page of {STARTERS[value].label}
          </Button>
          <Suspense>{isLooking && <StarterLook starter={value} onClose={close} />}</Suspense>
        </>
      )}
      <div className={classes.grid}>
        {Object.entries(STARTERS).map(([starter, { label, text, pictures }]) => (
          <Choice key={starter} value={starter} {...shared} label={label} text={text}>
            <img className={classes.light} src={pictures.light} alt="" width={480} height={360} />
            <img className={classes.dark} src={pictures.dark} alt="" width={480} height={360} />
          </Choice>
        ))}
        <Choice value={EMPTY} {...shared} label="Empty" text="No pages, so you can build your own design.">
          <span className={classes.empty} />
        </Choice>
      </div>
    </Radio.Group>
  )
}

interface ChoiceProps {
  value: string
  /** The value of the choice that is selected. */
  chosen: string
  onEnter: (value: string) => void
  label: string
  text: string
  children: ReactNode
}

const Choice = ({ value, chosen, onEnter, label, text, children }: ChoiceProps) => (
  // As in every radio group, Tab stops at the selected choice, and the arrow keys select another one.
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
