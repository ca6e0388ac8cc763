/** Characters that some operating systems do not allow in file names. */
const UNSAFE = /[<>:"|?*\\/]|[. ]$/g

/** Whether a path belongs to a file that operating systems add to archives. Imports ignore such files. */
export const isLitter = (path: string): boolean =>
  /^__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path)

/** Device names, which Windows does not allow as file names, even with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Returns a file name that all operating systems allow and that an import does not ignore. */
export const portableName = (name: string): string =>
  `${isLitter(name) || DEVICE.test(name) ? '_' : ''}${name.replaceAll(UNSAFE, '_')}`
