import { CloseButton, Loader, Text, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { counted } from '../ui/numbers.ts'
import classes from './search.module.css'

interface ChoiceFieldProps {
  /** Accessible name of the field. */
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  /** The options in groups. No group is empty. */
  groups: ChoiceGroup[]
  /** Whether the options still belong to an earlier value of `text`. */
  isBusy: boolean
  onClose: () => void
  /** Shown below the options. */
  children?: ReactNode
}

/**
 * A search field with its results. One result is always active: the arrow keys make another result active, and Enter
 * chooses the active result. The focus stays in the field.
 */
export const ChoiceField = ({
  label,
  placeholder,
  text,
  onText,
  groups,
  isBusy,
  onClose,
  children,
}: ChoiceFieldProps) => {
  const id = useId()
  const [movedTo, setMovedTo] = useState<string | null>(null)
  const [isWaiting, setIsWaiting] = useState(false)
  const choices = groups.flatMap(group => group.choices)
  const index = Math.max(
    0,
    choices.findIndex(choice => choice.id === movedTo),
  )
  const active = choices[index]
  const optionId = (choice: string) => `${id}-${choice}`
  const activeId = active && optionId(active.id)

  // If Enter is pressed right after typing, wait for the results of this text, then choose the first one.
  useEffect(() => {
    if (!isWaiting || isBusy) return
    setIsWaiting(false)
    active?.choose()
  }, [isWaiting, isBusy, active])

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== undefined) setMovedTo(choices.at((index + step) % choices.length)?.id ?? null)
    else if (isBusy && movedTo === null) setIsWaiting(true)
    else active?.choose()
  }

  return (
    <>
      <div className={classes.field}>
        {isBusy ? <Loader size={18} aria-hidden /> : <IconSearch size={18} aria-hidden />}
        <input
          className={classes.input}
          role="combobox"
          aria-label={label}
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          placeholder={placeholder}
          maxLength={limits.quickSearch}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={event => {
            setMovedTo(null)
            setIsWaiting(false)
            onText(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
        />
        <CloseButton aria-label="Close" onClick={onClose} />
      </div>
      <VisuallyHidden role="status">{isBusy ? '' : counted(choices.length, 'result')}</VisuallyHidden>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        aria-busy={isBusy}
        className={classes.list}
        hidden={choices.length === 0}
      >
        {groups.map(group => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
          <div key={group.label} role="group" aria-labelledby={`${id}-group-${group.label}`}>
            <div id={`${id}-group-${group.label}`} className={classes.group}>
              {group.label}
            </div>
            {group.choices.map(choice => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which keeps the focus, handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
              <div
                key={choice.id}
                id={optionId(choice.id)}
                role="option"
                aria-selected={choice === active}
                className={classes.option}
                onMouseDown={event => event.preventDefault()}
                onMouseMove={() => setMovedTo(choice.id)}
                onClick={choice.choose}
              >
                {choice.icon}
                <span className={classes.about}>
                  <span className={classes.title}>{choice.title}</span>
                  {choice.excerpt}
                </span>
                {choice.text && (
                  <Text span size="xs" className={classes.text}>
                    {choice.text}
                  </Text>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {children}
    </>
  )
}

/** One option of a `ChoiceField`. */
export interface Choice {
  id: string
  title: string
  /** Distinguishes this option from others with the same title, for example by the kind of item. */
  text?: string
  /** A piece of the text in which the search found something, shown below the title. */
  excerpt?: ReactNode
  icon: ReactNode
  choose: () => void
}

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}
