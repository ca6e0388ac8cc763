import { Kbd, Modal, Switch, Table } from '@mantine/core'
import { accountViews, spaceViewsFor } from '../shell/menu.tsx'
import { MOD } from '../shell/platform.ts'
import { SINGLE_KEYS, useSingleKeys } from '../shell/single-keys.ts'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { useRole } from '../use-role.ts'

interface Shortcut {
  keys: string[]
  effect: string
}

const WITH_MODIFIER: Shortcut[] = [
  { keys: [MOD, 'K'], effect: 'Search, or start an action' },
  { keys: [MOD, 'S'], effect: 'Save, in an editor' },
  { keys: [MOD, 'F'], effect: 'Find and replace, in a code editor' },
  { keys: [MOD, 'Z'], effect: 'Undo, in a code editor' },
  { keys: ['Ctrl', 'Space'], effect: 'Suggest tags, filters and names, in a code editor' },
  { keys: ['Esc', 'Tab'], effect: 'Leave a code editor (press Esc, then Tab)' },
]

const SINGLE: Shortcut[] = Object.entries(SINGLE_KEYS).map(([key, effect]) => ({ keys: [key], effect }))

interface ShortcutsProps {
  /** The space whose menu is shown. */
  subdomain: string | undefined
  onClose: () => void
}

/** The list of keyboard shortcuts, in which those of one key can be switched off. */
export const Shortcuts = ({ subdomain, onClose }: ShortcutsProps) => {
  useFocusReturn()
  const [isOn, setIsOn] = useSingleKeys()
  const role = useRole(subdomain)
  const views = [...(subdomain === undefined ? [] : spaceViewsFor(role)), ...accountViews]
  const going = views.flatMap(({ label, letter }): Shortcut[] =>
    letter === undefined ? [] : [{ keys: ['G', letter], effect: `Go to ${label}` }],
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title="Keyboard shortcuts"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Switch
        label="Shortcuts of one key"
        description="Switch them off if you dictate, or press keys by accident. This browser remembers it."
        checked={isOn}
        onChange={event => setIsOn(event.currentTarget.checked)}
        mb="md"
      />
      <Table>
        <Table.Tbody>
          {[...WITH_MODIFIER, ...(isOn ? [...SINGLE, ...going] : [])].map(({ keys, effect }) => (
            <Table.Tr key={effect}>
              <Table.Th scope="row" fw={400}>
                {effect}
              </Table.Th>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ' '}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
