import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The green of the icon, from the palest to the darkest. */
const leaf: MantineColorsTuple = [
  '#edf8f1',
  '#d9eee1',
  '#b3dcc3',
  '#8acaa3',
  '#62b685',
  '#3f9f69',
  '#2a8653',
  '#1f6f43',
  '#175a36',
  '#0f4629',
]

/** Mantine's red, darker where white stands on it. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f76c6c',
  '#e54848',
  '#c92a2a',
  '#b02525',
  '#931d1d',
]

export const theme = createTheme({
  primaryColor: 'leaf',
  // White on it has a contrast of more than 4.5, in light and dark.
  primaryShade: 7,
  colors: { leaf, red },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A `header` would be a second banner of the document.
    ModalHeader: { defaultProps: { component: 'div' } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 650 } },
    },
    // Beside its button it is read next, and stands in a landmark; its first item takes the focus, no empty element.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Alert: { defaultProps: { radius: 'md' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

/** Mantine's own greys and reds are too pale for text beside WCAG's 4.5. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#555e58',
    '--mantine-color-placeholder': '#68716b',
    '--mantine-color-error': '#b02525',
    '--mantine-color-body': '#fcfdfb',
    '--mantine-color-anchor': '#1a6139',
    '--mantine-color-yellow-light-color': '#754600',
  },
  dark: {
    '--mantine-color-text': '#e3e8e4',
    '--mantine-color-dimmed': '#a9b1ab',
    '--mantine-color-placeholder': '#949c96',
    '--mantine-color-error': '#ff9c9c',
    '--mantine-color-body': '#161917',
    '--mantine-color-anchor': '#8fd6ab',
  },
})
