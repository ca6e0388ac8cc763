/** What a scripted page may do; the same in its frame and on its own origin (contract: "Kinds"). */
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
 * What a draft may do in the screen's frame: what its page will, but for what would take the editor away or bar the
 * way to it.
 */
export const PREVIEW_SANDBOX = SCRIPTED_SANDBOX.split(' ')
  .filter(permission => !['allow-modals', 'allow-top-navigation-by-user-activation'].includes(permission))
  .join(' ')

/** What the site hands on to the frame of a scripted page. None of it asks the reader in the site's name. */
export const SCRIPTED_FEATURES = [
  'fullscreen',
  'autoplay',
  'picture-in-picture',
  'clipboard-write',
  'gamepad',
].join('; ')
