import { ActionIcon, Button, NativeSelect, Tooltip } from '@mantine/core'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconStrikethrough,
} from '@tabler/icons-react'
import type { MarkType } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import type { ReactNode } from 'react'
import { MOD } from '../shell/platform.ts'
import {
  around,
  hasMark,
  linkAt,
  selectedPicture,
  setBlock,
  toggle,
  toggleList,
  toggleQuote,
} from './commands.ts'
import { marks, nodes } from './schema.ts'
import classes from './VisualEditor.module.css'

interface ToolbarProps {
  state: EditorState
  run: (command: Command) => void
  onLink: () => void
  onPicture: () => void
}

const SIZE = 18

/** Buttons that format the selection, and the style of the block at the cursor. */
export const Toolbar = ({ state, run, onLink, onPicture }: ToolbarProps) => {
  const mark = (label: string, keys: string, type: MarkType | undefined, icon: ReactNode) => (
    <Tool label={label} keys={keys} isOn={hasMark(state, type!)} onClick={() => run(toggle(type))}>
      {icon}
    </Tool>
  )
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Formatting">
      <BlockStyle state={state} run={run} />
      {mark('Bold', `${MOD}+B`, marks.strong, <IconBold size={SIZE} />)}
      {mark('Italic', `${MOD}+I`, marks.em, <IconItalic size={SIZE} />)}
      {mark('Strikethrough', `${MOD}+Shift+X`, marks.strike, <IconStrikethrough size={SIZE} />)}
      {mark('Code', `${MOD}+E`, marks.code, <IconCode size={SIZE} />)}
      <Tool label="Link" keys={`${MOD}+K`} isOn={linkAt(state) !== null} onClick={onLink}>
        <IconLink size={SIZE} />
      </Tool>
      <Tool
        label="Bulleted list"
        isOn={around(state, nodes.bullet_list) !== null}
        onClick={() => run(toggleList(nodes.bullet_list))}
      >
        <IconList size={SIZE} />
      </Tool>
      <Tool
        label="Numbered list"
        isOn={around(state, nodes.ordered_list) !== null}
        onClick={() => run(toggleList(nodes.ordered_list))}
      >
        <IconListNumbers size={SIZE} />
      </Tool>
      <Tool label="Quote" isOn={around(state, nodes.blockquote) !== null} onClick={() => run(toggleQuote)}>
        <IconBlockquote size={SIZE} />
      </Tool>
      {selectedPicture(state) && (
        <Button size="compact-sm" variant="light" onClick={onPicture}>
          Describe picture
        </Button>
      )}
    </div>
  )
}

interface ToolProps {
  label: string
  keys?: string
  /** Whether the selection has the format. */
  isOn: boolean
  onClick: () => void
  children: ReactNode
}

const Tool = ({ label, keys, isOn, onClick, children }: ToolProps) => (
  <Tooltip label={keys ? `${label} (${keys})` : label}>
    <ActionIcon
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? undefined : 'gray'}
      size={32}
      aria-label={label}
      aria-pressed={isOn}
      // Keep the selection in the text.
      onMouseDown={event => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)

const STYLES: Readonly<Record<string, string>> = {
  text: 'Text',
  '1': 'Heading 1',
  '2': 'Heading 2',
  '3': 'Heading 3',
  code: 'Code block',
}

/** The style of the block at the cursor: a key of `STYLES`, the level of a smaller heading, or `markdown`. */
const styleAt = ({ selection: { $from } }: EditorState): string => {
  const { type, attrs } = $from.parent
  if (type === nodes.heading) return String(attrs.level)
  if (type === nodes.code_block) return 'code'
  return type === nodes.source ? 'markdown' : 'text'
}

const commandFor = (style: string): Command => {
  if (style === 'text') return setBlock(nodes.paragraph)
  if (style === 'code') return setBlock(nodes.code_block)
  return setBlock(nodes.heading, { level: Number(style) })
}

const BlockStyle = ({ state, run }: Pick<ToolbarProps, 'state' | 'run'>) => {
  const style = styleAt(state)
  const other = style === 'markdown' ? 'Markdown' : `Heading ${style}`
  const choices = { ...(STYLES[style] ? {} : { [style]: other }), ...STYLES }
  return (
    <NativeSelect
      aria-label="Style of the block"
      size="xs"
      className={classes.style}
      value={style}
      onChange={event => run(commandFor(event.currentTarget.value))}
      data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
    />
  )
}
