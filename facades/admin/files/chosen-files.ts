import { useEffect, useSyncExternalStore } from 'react'

/** Files that were chosen with `chooseFiles`, and the space to upload them to. */
let chosen: { subdomain: string; files: File[] } | null = null
const listeners = new Set<() => void>()

const set = (next: typeof chosen) => {
  chosen = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens the file picker. The space's Files view uploads the chosen files. */
export const chooseFiles = (subdomain: string): void => {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => set({ subdomain, files: [...(input.files ?? [])] }))
  input.click()
}

/** Calls `onFiles` with files that were chosen with `chooseFiles`, before or after the view was opened. */
export const useChosenFiles = (subdomain: string, onFiles: (files: File[]) => void): void => {
  const now = useSyncExternalStore(subscribe, () => chosen)
  useEffect(() => {
    if (now?.subdomain !== subdomain) return
    set(null)
    onFiles(now.files)
  }, [now, subdomain, onFiles])
}
