/** How long the browser may take to copy the content, in ms. */
const COPY_TIME = 60_000

/** Saves content as a file, through a browser download. */
export const saveFile = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), COPY_TIME)
}
