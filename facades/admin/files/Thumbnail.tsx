import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { isImage, kindOf } from './file-kind.tsx'
import css from './files.module.css'

type StoredFile = Outputs['files']['get']

/** A small version of an image, which the service makes, or an icon for the file's type. */
export const Thumbnail = ({ file, size }: { file: StoredFile; size: 'small' | 'large' }) => {
  // Replacing the content keeps the src, so the query string bypasses the browser's cache.
  const path = file.content_type === 'image/svg+xml' ? '' : `_thumbnail/${size}`
  const src = `${file.url}/${path}?${Date.parse(file.updated_at)}`
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null)
  const Icon = kindOf(file.content_type).icon
  return (
    <div className={css.thumbnail} data-size={size} aria-hidden>
      {isImage(file.content_type) && brokenSrc !== src ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          width={size === 'small' ? 40 : 320}
          height={size === 'small' ? 40 : 160}
          onError={() => setBrokenSrc(src)}
        />
      ) : (
        <Icon size={size === 'small' ? 22 : 40} stroke={1.5} />
      )}
    </div>
  )
}
