import { useEffect, useRef } from 'react'

/** Calls `save` on Ctrl+S or Cmd+S anywhere in the view, instead of the browser's "Save page" dialog. */
export const useSaveShortcut = (save: () => void) => {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
      // The code editor has already handled the shortcut.
      if (event.defaultPrevented) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
