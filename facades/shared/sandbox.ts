/** Sandbox permissions of a scripted page, in its frame and on its own origin (contract: "Kinds"). */
export const SCRIPTED_SANDBOX = [
  'allow-scripts',
  'allow-same-origin',
  'allow-forms',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-modals',
  'allow-downloads',
  'allow-pointer-lock',
  'allow-top-navigation-by-user-activation',
].join(' ')

/**
 * Sandbox permissions of people's content within a page of the main site: a draft in the dashboard, an HTML post in a
 * list. They are the permissions of a scripted page, but without dialogs, which would block the page around the
 * content, and without top navigation, which would replace it.
 */
export const EMBEDDED_SANDBOX = SCRIPTED_SANDBOX.split(' ')
  .filter(permission => !['allow-modals', 'allow-top-navigation-by-user-activation'].includes(permission))
  .join(' ')

/** Features that the site grants to the frame of a scripted page. None of them prompts the reader. */
export const SCRIPTED_FEATURES = [
  'fullscreen',
  'autoplay',
  'picture-in-picture',
  'clipboard-write',
  'gamepad',
].join('; ')
