/**
 * The Mantine components that the first view needs, whichever it is. Their scripts and stylesheets are one file each, so
 * that it takes few requests. Each comes after those that it is made of.
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
