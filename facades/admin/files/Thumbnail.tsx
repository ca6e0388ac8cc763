import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { isImage, kindOf } from './file-kind.tsx'
import css from './files.module.css'

type StoredFile = Outputs['files']['get']

/** A picture in small, or what kind of file it is. */
export const Thumbnail = ({ file, size }: { file: StoredFile; size: 'small' | 'large' }) => {
  // The address stays when the content is replaced; what the browser kept of it is not asked for again.
  const address = `${file.url}/?${Date.parse(file.updated_at)}`
  const [broken, setBroken] = useState<string | null>(null)
  const Icon = kindOf(file.content_type).icon
  return (
    <div className={css.thumbnail} data-size={size} aria-hidden>
      {isImage(file.content_type) && broken !== address ? (
        <img
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          width={size === 'small' ? 44 : 320}
          height={size === 'small' ? 44 : 160}
          onError={() => setBroken(address)}
        />
      ) : (
        <Icon size={size === 'small' ? 22 : 40} stroke={1.5} />
      )}
    </div>
  )
}
