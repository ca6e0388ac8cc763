import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shades of the icon's green, from lightest to darkest. */
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

/** Mantine's red, with darker shades below white text. */
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
  // White text on this shade has a contrast above 4.5 in both colour schemes.
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
    // A `header` element would be a second banner landmark.
    ModalHeader: { defaultProps: { component: 'div' } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 650 } },
    },
    // Rendered next to its button, the menu is inside a landmark and read next. Focus starts at the first item.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Alert: { defaultProps: { radius: 'md' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

/** Replaces Mantine's greys and reds that miss WCAG's contrast of 4.5 for text. */
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
