import { useLocalStorage } from '@mantine/hooks'

/** How a Markdown post is written: as readers will see it, as Markdown, or as both beside each other. */
type WritingMode = 'visual' | 'both' | 'code'

export const MODES: { value: WritingMode; label: string }[] = [
  { value: 'visual', label: 'Visual' },
  { value: 'both', label: 'Both' },
  { value: 'code', label: 'Source' },
]

/** Maximum length of the Markdown that the visual editor opens, in characters. Longer texts make typing slow. */
export const VISUAL_MAX = 100_000

/** The way of writing, which this browser remembers. */
export const useWritingMode = () =>
  useLocalStorage<WritingMode>({
    key: 'space-site-writing-mode',
    defaultValue: 'visual',
    getInitialValueInEffect: false,
    // Another window must not hide the editor in which someone types in this one.
    sync: false,
  })
