import { useLocalStorage } from '@mantine/hooks'

/** The shortcuts of one key without a modifier, and what each does. A control that has one gets it with `useKey`. */
export const SINGLE_KEYS = {
  C: 'Create what the list shows',
  E: 'Edit on the page or as code, in an editor',
  '/': 'Search the list, or everything',
  '?': 'Show this list',
} as const

/** Whether shortcuts of one key work, and a function that changes it. This browser remembers it. */
export const useSingleKeys = () =>
  useLocalStorage({ key: 'space-site-single-keys', defaultValue: true, getInitialValueInEffect: false })

/** Attributes of the control that a key presses, or of the field that it focuses. */
export const useKey = (key: keyof typeof SINGLE_KEYS) => {
  const [isOn] = useSingleKeys()
  return isOn ? { 'data-keys': key.toLowerCase(), 'aria-keyshortcuts': key } : {}
}

/** Attributes of the link that a letter opens after G. */
export const useGoKey = () => {
  const [isOn] = useSingleKeys()
  return (letter: string | undefined) =>
    isOn && letter !== undefined ? { 'data-keys': `g ${letter.toLowerCase()}` } : {}
}

/** Where a letter is typed, or moves in a list. */
const TAKES_LETTERS = [
  'input:not([type=checkbox], [type=radio])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=menu]',
  '[role=listbox]',
].join(',')

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'])

/** The key in lower case; undefined if it is no shortcut of one key, for example because a letter is typed. */
export const singleKeyOf = (event: KeyboardEvent): string | undefined => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, repeat, target } = event
  const hasModifier = ctrlKey || metaKey || altKey || (shiftKey && /^\p{L}$/u.test(key))
  if (hasModifier || isComposing || repeat || MODIFIERS.has(key)) return undefined
  if (target instanceof Element && target.closest(TAKES_LETTERS)) return undefined
  return key.toLowerCase()
}

/** Presses the control with these keys, or focuses it if it is a field. Returns whether there is one. */
export const pressKeys = (keys: string): boolean => {
  const controls = document.querySelectorAll<HTMLElement>(`[data-keys="${CSS.escape(keys)}"]`)
  // The view comes after the header. Links of the menu also work where a narrow window hides the menu.
  const control = Array.from(controls).findLast(one => keys.startsWith('g ') || one.checkVisibility())
  if (control instanceof HTMLInputElement) {
    control.focus()
    control.select()
  } else control?.click()
  return control !== undefined
}
