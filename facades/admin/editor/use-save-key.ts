import { useEffect, useRef } from 'react'

/** Hears Ctrl+S and Cmd+S wherever in the view the focus is, in place of the browser's own "save page". */
export const useSaveKey = (save: () => void) => {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
      // The editor has heard it already.
      if (event.defaultPrevented) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}
