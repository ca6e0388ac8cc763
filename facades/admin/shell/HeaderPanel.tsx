import { Button, type ButtonProps } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import classes from './HeaderPanel.module.css'

interface HeaderPanelProps extends ButtonProps {
  /** Content of the button. */
  children: ReactNode
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
  /** Content of the panel; null while it loads. */
  panel: ReactNode
  /** Accessible name of the panel. */
  label: string
  /** Width of the panel in rem, if the window is wide enough. */
  width: number
}

/** Minimum distance between the panel and the edges of the window, in px. */
const MARGIN = 8

/**
 * A button in the header with a panel that opens below it. Does not use Mantine's popovers: the code that positions
 * them would be an eighth of what the first view loads.
 */
export const HeaderPanel = ({
  children,
  isOpen,
  onOpen,
  onClose,
  panel,
  label,
  width,
  ...button
}: HeaderPanelProps) => {
  const id = useId()
  const isShown = isOpen && panel !== null
  const anchor = useClickOutside<HTMLDivElement>(() => isShown && onClose())
  const opener = useRef<HTMLButtonElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState(0)

  useLayoutEffect(() => {
    if (!isShown) return
    const place = () => {
      const { clientWidth } = document.documentElement
      const wide = content.current?.offsetWidth ?? 0
      const start = opener.current?.getBoundingClientRect().left ?? 0
      setLeft(Math.max(MARGIN, Math.min(start, clientWidth - wide - MARGIN)))
    }
    place()
    content.current?.querySelector<HTMLElement>('[data-autofocus], a, button')?.focus()
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [isShown])

  // Close the panel when Tab leaves it, but not when the focus leaves in another way: a closing dialog may return the
  // focus to the button that opened the dialog.
  useEffect(() => {
    if (!isShown) return
    const onKeyUp = ({ key, target }: KeyboardEvent) => {
      if (key === 'Tab' && !content.current?.parentElement?.contains(target as Node)) onClose()
    }
    document.addEventListener('keyup', onKeyUp)
    return () => document.removeEventListener('keyup', onKeyUp)
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys that bubble from the controls in it
    <div
      ref={anchor}
      className={classes.anchor ?? ''}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !isShown) return
        event.stopPropagation()
        onClose()
        opener.current?.focus()
      }}
    >
      <Button
        ref={opener}
        variant="subtle"
        color="gray"
        px="xs"
        aria-haspopup="dialog"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-busy={isOpen && panel === null}
        onClick={isOpen ? onClose : onOpen}
        {...button}
      >
        {children}
      </Button>
      {isShown && (
        <div
          ref={content}
          id={id}
          role="dialog"
          aria-label={label}
          className={classes.panel}
          style={{ left, width: `min(${width}rem, calc(100vw - ${2 * MARGIN}px))` }}
        >
          {panel}
        </div>
      )}
    </div>
  )
}
