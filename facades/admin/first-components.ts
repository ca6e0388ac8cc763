/**
 * The Mantine components that are loaded with the first view, whichever view it is. Their scripts are bundled into one
 * file and their stylesheets into another, to save requests. Each component comes after the components that it is built
 * from.
 */
export const FIRST_COMPONENTS: readonly string[] = [
  'UnstyledButton',
  'VisuallyHidden',
  'Paper',
  'CloseButton',
  'Group',
  'Stack',
  'Center',
  'Loader',
  'Text',
  'Title',
  'Anchor',
  'Code',
  'Kbd',
  'Button',
  'ActionIcon',
  'Alert',
  'Avatar',
  'Burger',
  'Indicator',
  'Skeleton',
]
