import { CloseButton, Group, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { TextLink } from '../ui/ButtonLink.tsx'
import type { CodeEditorProps } from './code-editor-props.ts'
import classes from './OpenBodies.module.css'
import { MAIN } from './open-bodies.ts'
import { PartBeside } from './PartBeside.tsx'
import type { PartsBeside } from './use-parts-beside.ts'

interface OpenBodiesProps {
  subdomain: string
  /** The name of the page or part that the view edits. */
  name: string
  beside: PartsBeside
  /** Where notices about the parts are shown. */
  notices: Element | null
  /** Called after each change of the text of a part. */
  onChange: () => void
  code: Pick<CodeEditorProps, 'completions' | 'names' | 'onCursor' | 'onSave'>
  /** The editor of the body that the view edits. */
  children: ReactNode
}

/** The code of one of the open bodies; above it the names of all, if there are several. */
export const OpenBodies = ({
  subdomain,
  name,
  beside,
  notices,
  onChange,
  code,
  children,
}: OpenBodiesProps) => {
  const { parts, shown } = beside
  return (
    <div className={classes.bodies}>
      {parts.length > 0 && (
        <Group gap="xs" mb="xs">
          <SegmentedControl
            size="xs"
            aria-label="Open code"
            value={shown}
            onChange={beside.show}
            data={[
              { value: MAIN, label: name },
              ...parts.map(part => ({ value: part.id, label: `Part ${part.name}` })),
            ]}
          />
          {shown !== MAIN && (
            <>
              <TextLink size="sm" to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: shown }}>
                Open on its own
              </TextLink>
              <CloseButton size="sm" aria-label="Close the part" onClick={() => beside.close(shown)} />
            </>
          )}
        </Group>
      )}
      <div className={classes.body} hidden={shown !== MAIN}>
        {children}
      </div>
      {parts.map(({ id }) => (
        <div key={id} className={classes.body} hidden={shown !== id}>
          <PartBeside
            subdomain={subdomain}
            partId={id}
            notices={notices}
            onDraft={draft => beside.onDraft(id, draft)}
            onChange={onChange}
            code={code}
          />
        </div>
      ))}
    </div>
  )
}
