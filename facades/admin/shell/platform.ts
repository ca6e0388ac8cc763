const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Name of the modifier key for shortcuts. */
export const MOD = isMac ? '⌘' : 'Ctrl'

/** The value of `aria-keyshortcuts` for the search. */
export const SEARCH_KEYS = isMac ? 'Meta+K' : 'Control+K'

/** Whether the modifier key for shortcuts is held down, and no other modifier key. */
export const hasMod = ({
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): boolean =>
  (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
