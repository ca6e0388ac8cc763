import type { Node } from 'prosemirror-model'
import type { NodeViewConstructor } from 'prosemirror-view'

/**
 * Shows a picture. The dashboard loads only pictures of spaces, so that no other server learns who writes; for others,
 * the description and the address are shown.
 */
export const pictureView: NodeViewConstructor = (node: Node) => {
  const { src, alt, title } = node.attrs
  const dom = document.createElement('span')
  dom.dataset.picture = ''
  const picture = document.createElement('img')
  picture.src = src
  picture.alt = alt
  if (title !== null) picture.title = title
  picture.addEventListener('error', () => dom.replaceChildren(`🖼 ${alt || 'Picture'} (${src})`))
  dom.append(picture)
  return { dom }
}
