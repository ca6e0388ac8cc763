import { useSpace } from '../use-space.ts'
import { LookForm } from './LookForm.tsx'
import { LookPreview } from './LookPreview.tsx'
import classes from './look.module.css'
import type { Look } from './read-look.ts'

interface LookEditorProps {
  recordKey: string
  look: Look
  /** The value as it is typed. */
  text: string
  /** The value as it would be stored. */
  json: string | null
  onChange: (text: string) => void
  onSave: () => void
}

/** Edits the look of a site beside one of its pages, which shows every change at once. */
const LookEditor = ({ recordKey, look, text, json, onChange, onSave }: LookEditorProps) => {
  const { subdomain } = useSpace()
  return (
    <div className={classes.bench}>
      <LookForm subdomain={subdomain} look={look} text={text} onChange={onChange} onSave={onSave} />
      <div className={classes.preview}>
        <LookPreview recordKey={recordKey} json={json} />
      </div>
    </div>
  )
}

export default LookEditor
