/** How long the object URL stays valid, in ms. The browser copies the content from it. */
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
