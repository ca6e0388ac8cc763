const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Name of the key that shortcuts are pressed with. */
export const MOD = isMac ? '⌘' : 'Ctrl'

/** The value of `aria-keyshortcuts` for the search. */
export const SEARCH_KEYS = isMac ? 'Meta+K' : 'Control+K'

/** Whether the key of shortcuts is held down, and no other modifier. */
export const hasMod = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
