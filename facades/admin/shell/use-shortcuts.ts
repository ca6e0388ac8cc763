import { useEffect, useLayoutEffect, useState } from 'react'
import { useLazyDialog } from '../ui/lazy.ts'
import { hasMod } from './platform.ts'
import { pressKeys, singleKeyOf, useSingleKeys } from './single-keys.ts'

const loadSearch = async () => (await import('../search/Search.tsx')).Search
const loadShortcuts = async () => (await import('../search/Shortcuts.tsx')).Shortcuts

const isDialogOpen = () => document.querySelector('[aria-modal=true]') !== null

/**
 * The keyboard shortcuts of every view, and the state of the search dialog and of the list of shortcuts.
 *
 * @returns also `isGoing`: whether G was pressed, so that the next letter opens a view
 */
export const useShortcuts = () => {
  const search = useLazyDialog(loadSearch)
  const shortcuts = useLazyDialog(loadShortcuts)
  const [isOn] = useSingleKeys()
  const [isGoing, setIsGoing] = useState(false)

  const press = (key: string): boolean => {
    if (isGoing) return pressKeys(`g ${key}`)
    if (key === 'g') setIsGoing(true)
    else if (key === '?') shortcuts.open()
    else if (!pressKeys(key)) {
      if (key !== '/') return false
      search.open()
    }
    return true
  }
  // A layout effect, so that the keys work as soon as the header is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if (hasMod(event) && event.key.toLowerCase() === 'k') {
        // Otherwise the browser would open its own search.
        event.preventDefault()
        if (search.isOpen) search.close()
        else if (!isDialogOpen()) search.open()
      }
      const key = isOn && !isDialogOpen() ? singleKeyOf(event) : undefined
      setIsGoing(false)
      if (key !== undefined && press(key)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
  useEffect(() => {
    if (!isGoing) return
    const stop = () => setIsGoing(false)
    window.addEventListener('pointerdown', stop)
    window.addEventListener('blur', stop)
    return () => {
      window.removeEventListener('pointerdown', stop)
      window.removeEventListener('blur', stop)
    }
  }, [isGoing])
  return { search, shortcuts, isGoing }
}
