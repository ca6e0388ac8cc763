import {
  IconFile,
  IconFileText,
  IconFileTypeCss,
  IconFileTypePdf,
  IconFileZip,
  IconJson,
  IconMusic,
  IconPhoto,
  IconTypography,
  IconVideo,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

interface Kind {
  icon: ComponentType<{ size?: number; stroke?: number }>
  label: string
}

const EXACT: Record<string, Kind> = {
  'text/css': { icon: IconFileTypeCss, label: 'Stylesheet' },
  'text/plain': { icon: IconFileText, label: 'Text' },
  'application/pdf': { icon: IconFileTypePdf, label: 'PDF' },
  'application/json': { icon: IconJson, label: 'JSON' },
  'application/zip': { icon: IconFileZip, label: 'Archive' },
  'image/svg+xml': { icon: IconPhoto, label: 'SVG image' },
  'application/octet-stream': { icon: IconFile, label: 'Download' },
}

const FAMILIES: Record<string, Kind> = {
  image: { icon: IconPhoto, label: 'image' },
  video: { icon: IconVideo, label: 'video' },
  audio: { icon: IconMusic, label: 'audio' },
  font: { icon: IconTypography, label: 'font' },
  text: { icon: IconFileText, label: 'text' },
}

/** A display name and an icon for a content type. */
export const kindOf = (contentType: string): Kind => {
  const exact = EXACT[contentType]
  if (exact) return exact
  const [family = '', subtype = ''] = contentType.split('/')
  const kind = FAMILIES[family]
  if (!kind) return { icon: IconFile, label: contentType }
  const name = subtype.replace(/^x-/, '').replace(/\+.*$/, '').toUpperCase()
  return { ...kind, label: `${name === 'MPEG' && family === 'audio' ? 'MP3' : name} ${kind.label}` }
}

export const isImage = (contentType: string) => contentType.startsWith('image/')
